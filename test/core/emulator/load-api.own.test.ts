import { afterEach, expect, it, onTestFinished, vi } from 'vitest';
import { emulatorCore, type LoadApi } from '../../../src/core/emulator/emulator-core.ts';
import { whenIdle } from '../../../src/core/emulator/when-idle.ts';
import { anybodyMayAnswer } from '../../../src/emulator/api/waiting-request.ts';
import { createEmulator } from '../../../src/emulator/compose/create-emulator.ts';
import { defaultFixture } from '../../../src/emulator/compose/fixture/default.ts';
import { createServer } from '../../../src/server/server.ts';
import { memoryTransport } from '../../../src/transport/memory.ts';
import { AppPeer, settled } from '../../helpers/app-peer.ts';
import { ids } from '../../helpers/emulator-world.ts';

const client_id = ids.harbourExample;

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** An event loop that is busy for these parts of the intervals, in turn. */
function busy(...parts: number[]) {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  vi.spyOn(performance, 'eventLoopUtilization').mockImplementation((before) => ({
    idle: 0,
    active: 0,
    utilization: before === undefined ? 1 : (parts.shift() ?? 1),
  }));
}

/** A server with the emulator, whose calls of `loadApi` are counted and load nothing. */
async function setUp(loadApi: LoadApi | undefined, policy: 'ask' | 'allow' = 'allow') {
  const emulator = await createEmulator({ fixture: defaultFixture(), consent: { policy } });
  const load = vi.spyOn(emulator, 'loadApi').mockImplementation(() => {});
  const transport = memoryTransport();
  const core = emulatorCore({ emulator, mayAnswer: anybodyMayAnswer, httpPort: 0, loadApi });
  const server = await createServer({ transports: [transport], core });
  onTestFinished(() => server.close());
  const app = new AppPeer(transport.connect());
  await app.handshake(client_id);
  return { app, load, server };
}

it('an idle event loop runs the task once, a busy one does not', () => {
  busy(0.9, 0.21, 0.2);
  const task = vi.fn();
  whenIdle(task);
  vi.advanceTimersByTime(200);
  expect(task).not.toHaveBeenCalled();
  vi.advanceTimersByTime(100);
  expect(task).toHaveBeenCalledOnce();
  expect(vi.getTimerCount()).toBe(0);
});

it.each<[LoadApi | undefined, idle: number, authorized: number]>([
  ['idle', 1, 2],
  ['authorize', 0, 1],
  ['request', 0, 0],
  [undefined, 0, 0],
])(
  'with %s the API is loaded %i times when idle, and %i times after AUTHORIZE',
  async (when, idle, authorized) => {
    busy(0);
    const { app, load } = await setUp(when);
    await app.call('SET_ACTIVITY', { pid: 1, activity: { state: 'on' } });
    vi.advanceTimersByTime(1000);
    expect(load).toHaveBeenCalledTimes(idle);
    expect((await app.call('AUTHORIZE', { client_id, scopes: ['rpc'] })).data.code).toHaveLength(30);
    expect(load).toHaveBeenCalledTimes(authorized);
  },
);

it('the API is loaded while the user is asked for an authorization, but not for a command', async () => {
  const { app, load } = await setUp('authorize', 'ask');
  app.request('OPEN_OVERLAY_VOICE_SETTINGS', { pid: 100 });
  await settled();
  expect(load).not.toHaveBeenCalled();
  app.request('AUTHORIZE', { client_id, scopes: ['rpc'] });
  await settled();
  expect(load).toHaveBeenCalledOnce();
});

it('a refused AUTHORIZE loads nothing', async () => {
  const { app, load } = await setUp('authorize');
  expect((await app.call('AUTHORIZE', { client_id, scopes: ['no.such.scope'] })).evt).toBe('ERROR');
  expect(load).not.toHaveBeenCalled();
});

it('a core that stops waits for no idle event loop', async () => {
  busy(1, 1);
  const { server, load } = await setUp('idle');
  await server.close();
  expect(vi.getTimerCount()).toBe(0);
  expect(load).not.toHaveBeenCalled();
});
