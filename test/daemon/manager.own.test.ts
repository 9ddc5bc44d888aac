import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Native } from '../../platform/native/native.ts';
import { forgetManager, managerLink } from '../../src/daemon/manager.ts';
import { recordingLogger } from '../helpers/memory-bridge.ts';

/** Native calls of which only `notify` matters. */
function telling(result: ReturnType<Native['notify']> = { kind: 'sent' }) {
  const said: string[] = [];
  const native = {
    kind: 'loaded',
    notify: (path: string, message: string) => {
      said.push(`${path} ${message}`);
      return result;
    },
  } as unknown as Native;
  return { native, said };
}

const env = { NOTIFY_SOCKET: '/n' };

describe('the link to the service manager', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('reports that the bridge is ready, and that it stops', () => {
    const { native, said } = telling();
    const { logger, log } = recordingLogger();
    const link = managerLink({ env, native, logger, strict: true });
    expect(said).toEqual([]);
    link.ready('Serving /a\nREADY=0');
    link.stopping();
    expect(log).toEqual([]);
    expect(said).toEqual(['/n READY=1\nSTATUS=Serving /a READY=0', '/n STOPPING=1']);
  });

  it('sends nothing without NOTIFY_SOCKET, with and without native calls', () => {
    const { native, said } = telling();
    const { logger, log } = recordingLogger();
    for (const calls of [native, { kind: 'absent', reason: 'no koffi' } as const]) {
      const link = managerLink({ env: { NOTIFY_SOCKET: '' }, native: calls, logger, strict: true });
      link.ready('x');
      link.stopping();
    }
    expect(said).toEqual([]);
    expect(log).toEqual([]);
  });

  it('sends WATCHDOG=1 three times a period from the event loop, until it stops [R11]', () => {
    const { native, said } = telling();
    const watched = { ...env, WATCHDOG_USEC: '9000000', WATCHDOG_PID: '5' };
    const link = managerLink({
      env: watched,
      native,
      logger: recordingLogger().logger,
      strict: true,
      pid: 5,
    });
    link.ready('x');
    vi.advanceTimersByTime(9000);
    expect(said.slice(1)).toEqual(Array(3).fill('/n WATCHDOG=1'));
    link.stopping();
    vi.advanceTimersByTime(9000);
    expect(said).toHaveLength(5);
  });

  it.each([
    { WATCHDOG_USEC: '9000000', WATCHDOG_PID: '6' },
    { WATCHDOG_USEC: '0' },
    { WATCHDOG_USEC: '-1' },
    { WATCHDOG_USEC: 'often' },
    { WATCHDOG_USEC: '' },
    { WATCHDOG_USEC: '9000000 ' },
    { WATCHDOG_USEC: ' 9000000' },
    { WATCHDOG_USEC: '9'.repeat(16) },
  ])('sends no WATCHDOG=1 with %o [R11]', (variables) => {
    const { native, said } = telling();
    managerLink({
      env: { ...env, ...variables },
      native,
      logger: recordingLogger().logger,
      strict: true,
      pid: 5,
    }).ready('x');
    vi.advanceTimersByTime(60_000);
    expect(said).toHaveLength(1);
  });

  it('fails without native calls in a unit of the bridge, and only warns in any other unit', () => {
    const native = { kind: 'absent', reason: 'no koffi' } as const;
    const { logger, log } = recordingLogger();
    expect(() => managerLink({ env, native, logger, strict: true })).toThrow(
      expect.objectContaining({
        code: 'FOOTBRIDGE_ACTIVATION',
        message: expect.stringContaining('no koffi'),
      }),
    );
    managerLink({ env, native, logger, strict: false }).ready('x');
    expect(log).toHaveLength(1);
  });

  it('continues when a message is lost', () => {
    const { native } = telling({ kind: 'unsent', reason: 'full' });
    const { logger, log } = recordingLogger();
    managerLink({ env, native, logger, strict: true }).ready('x');
    expect(log).toHaveLength(1);
  });

  it('removes its variables from the environment [T12]', () => {
    const all = {
      ...env,
      LISTEN_FDS: '1',
      LISTEN_PID: '5',
      LISTEN_FDNAMES: 'x',
      WATCHDOG_USEC: '1',
      WATCHDOG_PID: '5',
      HOME: '/',
    };
    forgetManager(all);
    expect(all).toEqual({ HOME: '/' });
  });
});
