import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { SessionState } from '../../../platform/session/login-session.ts';
import { Away } from '../../../src/daemon/presence/away.ts';
import { silentLogger } from '../../../src/server/options.ts';

const ACTIVE: SessionState = { idleSince: null, isLocked: false };
const MINUTE = 60_000;

beforeEach(() => void vi.useFakeTimers({ now: 1_800_000_000_000 }));
afterEach(() => void vi.useRealTimers());

function setup(first: SessionState | Error = ACTIVE) {
  let state = first;
  const changes: boolean[] = [];
  const warnings: unknown[] = [];
  const away = new Away({
    session: {
      kind: 'supported',
      current: () => (state instanceof Error ? Promise.reject(state) : Promise.resolve(state)),
    },
    logger: { ...silentLogger, warn: (fields, message) => void warnings.push([message, fields]) },
    setAway: (isAway) => {
      if (changes.at(-1) !== isAway) changes.push(isAway);
    },
    now: Date.now,
  });
  const pass = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);
  const become = async (next: SessionState | Error): Promise<void> => {
    state = next;
    await pass(5000);
  };
  return { away, changes, warnings, pass, become };
}
const idleNow = (): SessionState => ({ idleSince: Date.now(), isLocked: false });

describe('absence of the user', () => {
  it('begins once the session has been idle for the time, and ends when the user is active', async () => {
    const { away, changes, pass, become } = setup();
    away.apply(10 * MINUTE);
    await become(idleNow());
    await pass(9 * MINUTE);
    expect(changes).toEqual([false]);
    await pass(MINUTE);
    expect(changes).toEqual([false, true]);
    await become(ACTIVE);
    expect(changes).toEqual([false, true, false]);
  });

  it('begins once the session has been locked for the time', async () => {
    const { away, changes, pass, become } = setup();
    away.apply(MINUTE);
    await become({ idleSince: null, isLocked: true });
    await pass(50_000);
    expect(changes).toEqual([false]);
    await pass(20_000);
    expect(changes).toEqual([false, true]);
    await become({ idleSince: null, isLocked: false });
    expect(changes).toEqual([false, true, false]);
  });

  it('lasts while the state is unknown, and is reported once', async () => {
    const { away, changes, warnings, pass, become } = setup({ idleSince: 0, isLocked: false });
    away.apply(MINUTE);
    await pass(0);
    await become(new Error('busctl: no answer.'));
    await pass(MINUTE);
    expect(changes).toEqual([true]);
    expect(away.problem).toBe('presence_away has no effect: busctl: no answer.');
    expect(warnings).toEqual([
      ['presence_away has no effect: not supported here', { reason: 'busctl: no answer.' }],
    ]);
    await become(ACTIVE);
    expect([changes, away.problem]).toEqual([[true, false], undefined]);
  });

  it('never begins without a source of the state', async () => {
    const { away, changes, warnings, pass } = setup(new Error('busctl is not installed.'));
    away.apply(MINUTE);
    await pass(10 * MINUTE);
    expect(changes).toEqual([]);
    expect(warnings).toHaveLength(1);
  });

  it.each([
    ['is active', ACTIVE, [true, false]],
    ['is idle', { idleSince: 0, isLocked: false }, [true]],
    ['is unknown', new Error('busctl is not installed.'), [true, false]],
  ])('is assumed at the start, until the first check finds that the user %s', async (_what, first, found) => {
    const { away, changes, pass } = setup(first);
    away.assume();
    away.apply(MINUTE);
    expect(changes).toEqual([true]);
    await pass(0);
    expect(changes).toEqual(found);
  });

  it('ends when the setting is turned off, and follows another time', async () => {
    const { away, changes, pass } = setup({ idleSince: Date.now() - 5 * MINUTE, isLocked: false });
    away.apply(MINUTE);
    await pass(0);
    expect(changes).toEqual([true]);
    away.apply(10 * MINUTE);
    await pass(0);
    expect(changes).toEqual([true, false]);
    away.apply(MINUTE);
    await pass(0);
    away.apply(undefined);
    await pass(MINUTE);
    expect(changes).toEqual([true, false, true, false]);
    away.apply(MINUTE);
    away.close();
    await pass(MINUTE);
    expect(changes).toEqual([true, false, true, false]);
  });

  it('is reported as unsupported on a system without a source', () => {
    const away = new Away({
      session: { kind: 'unsupported', reason: 'this system does not report when you are idle' },
      logger: silentLogger,
      setAway: () => {},
      now: Date.now,
    });
    expect(away.problem).toBeUndefined();
    away.apply(MINUTE);
    expect(away.problem).toBe('presence_away has no effect: this system does not report when you are idle');
    away.apply(undefined);
    expect(away.problem).toBeUndefined();
  });
});
