import { type Duplex, duplexPair } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { LocalError } from '../../../src/base/local-error.ts';
import type { CoreHost, CoreSession, Peer } from '../../../src/core/core.ts';
import { type UpstreamCoreOptions, upstreamCore } from '../../../src/core/upstream/upstream-core.ts';
import { Opcode } from '../../../src/wire/codes.ts';
import { fakeCore, fakeReady } from '../../helpers/fake-core.ts';
import { frameBytes } from '../../helpers/frame-bytes.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
});

async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await setImmediate();
}

/** A core whose upstream does as `state` says. */
async function bench(options: Partial<UpstreamCoreOptions> = {}) {
  const state = { path: '/one', error: new Error('nobody') as Error | undefined, close: 0, connects: 0 };
  const calls: unknown[] = [];
  const upstreams: Duplex[] = [];
  const probes: AbortSignal[] = [];
  const write = (body: object, opcode: Opcode = Opcode.FRAME): void =>
    void upstreams.at(-1)?.write(frameBytes(opcode, JSON.stringify(body)));
  const core = upstreamCore({
    async connect(signal) {
      state.connects += 1;
      probes.push(signal);
      if (state.error) throw state.error;
      const [ours, theirs] = duplexPair();
      upstreams.push(theirs.resume());
      if (state.close > 0)
        theirs.end(frameBytes(Opcode.CLOSE, JSON.stringify({ code: state.close, message: 'no' })));
      else write({ evt: 'READY', data: fakeReady });
      return { path: state.path, stream: ours };
    },
    ...options,
  });
  const host: CoreHost = {
    emit: () => 0,
    relay: (...all) => calls.push(['relay', ...all]),
    closeSessions: (...all) => calls.push(['close', ...all]),
    grant: (...all) => calls.push(['grant', ...all]),
    log: (...all) => calls.push(all),
  };
  const started = await core.start(host);
  onTestFinished(() => core.stop());
  const controller = new AbortController();
  const peer = (sessionId = 's', signal = controller.signal): Peer => ({
    sessionId,
    clientId: '7',
    transport: 'memory',
    signal,
  });
  return {
    core,
    state,
    calls,
    controller,
    write,
    peer,
    describe: () => started.describe?.(),
    upstreams,
    probes,
    status: () => started.admin?.['upstream.status']?.run({}, { via: 'control' }),
    open: (sessionId?: string): Promise<CoreSession | Error> =>
      Promise.resolve(core.open(peer(sessionId))).catch((error: Error) => error),
  };
}

const here = (path: string) => ['info', 'the upstream is here', { path }];

it('the upstream core logs the path of an upstream once, and again where it changes', async () => {
  const { open, state, calls } = await bench();
  state.error = undefined;
  await open('a');
  await open('b');
  state.path = '/two';
  await open('c');
  expect(calls).toEqual([here('/one'), here('/two')]);
});

it('the upstream core logs once why an upstream cannot be used, and reports it until the upstream can be used', async () => {
  const { status, state, calls } = await bench();
  const warning = (reason: string) => ['warn', 'the upstream cannot be used', { reason }];
  for (const reason of ['a', 'a', 'b']) {
    state.error = new LocalError('FOOTBRIDGE_UPSTREAM', reason);
    expect(await status()).toMatchObject({ present: false, why: reason, path: null });
  }
  expect(calls).toEqual([warning('a'), warning('b')]);
  state.error = new Error('nobody');
  expect(await status()).toMatchObject({ why: null });
  state.error = new LocalError('FOOTBRIDGE_UPSTREAM', 'b');
  await status();
  state.error = undefined;
  expect(await status()).toEqual({
    present: true,
    why: null,
    path: '/one',
    clients: ['client'],
    sessions: 0,
    fallback: null,
  });
  expect(calls).toEqual([warning('a'), warning('b'), warning('b'), here('/one')]);
});

it('the upstream core closes the connection with which it looks for the upstream, and gives up after 250 ms', async () => {
  const { status, state, upstreams, probes } = await bench();
  state.error = undefined;
  await status();
  const greeted = vi.fn();
  upstreams[0]?.on('data', greeted);
  await settle();
  expect(greeted).not.toHaveBeenCalled();
  expect(probes[0]).toBeInstanceOf(AbortSignal);
});

/** Lets the clock show these times, and then the last one. */
function clock(...times: number[]): void {
  const now = vi.spyOn(performance, 'now');
  for (const time of times) now.mockReturnValueOnce(time);
  now.mockReturnValue(times.at(-1) ?? 0);
  onTestFinished(() => now.mockRestore());
}

it('an app waits for an upstream that is away, at most as long as it should', async () => {
  const { open, state } = await bench({ openTimeoutMs: 500 });
  clock(1000, 1499, 1500);
  expect(await open()).toMatchObject({ code: 1006, message: 'No chat client is running; try again later' });
  expect(state.connects).toBe(2);
});

it('an app gets the reason of an upstream that accepts nobody, after the wait', async () => {
  const { open, state } = await bench({ openTimeoutMs: 0 });
  state.error = undefined;
  state.close = 1000;
  expect(await open()).toMatchObject({ code: 1000, message: 'no' });
});

it('an app that the upstream refuses does not wait', async () => {
  const { open, state } = await bench();
  state.error = undefined;
  state.close = 4000;
  expect(await open()).toMatchObject({ code: 4000, message: 'no' });
  expect(state.connects).toBe(1);
});

it('an app that leaves no longer waits for the upstream, or for its READY', async () => {
  const { open, state, controller } = await bench();
  const opened = open();
  await settle();
  controller.abort();
  expect(await opened).toMatchObject({ code: 1006 });
  expect(state.connects).toBe(1);

  const silent = await bench({
    connect: async () => ({ path: '/one', stream: duplexPair()[0] }),
    openTimeoutMs: 0,
  });
  const greeting = silent.open();
  await settle();
  silent.controller.abort();
  expect(await greeting).toMatchObject({ code: 1006 });
});

it('an app that leaves after READY ends its session through close alone', async () => {
  const { open, state, controller, upstreams, status, core } = await bench();
  state.error = undefined;
  const session = (await open()) as CoreSession;
  expect(session.handlers).toEqual({});
  controller.abort();
  await settle();
  expect([upstreams[0]?.readableEnded, await status()]).toMatchObject([false, { sessions: 1 }]);
  session.close();
  await settle();
  expect([upstreams[0]?.readableEnded, await status()]).toMatchObject([true, { sessions: 0 }]);
  await open('b');
  await core.stop();
  await settle();
  expect([upstreams[3]?.readableEnded, await status()]).toMatchObject([true, { sessions: 0 }]);
});

it('the upstream core passes events, scopes and the end of a session on for the session that they concern', async () => {
  const { open, state, calls, write, upstreams } = await bench();
  state.error = undefined;
  const session = (await open('a')) as CoreSession;
  calls.splice(0);
  const { signal } = new AbortController();
  const requested = session.relay?.({ cmd: 'AUTHENTICATE', args: {}, evt: undefined }, { signal } as never);
  await settle();
  write({ cmd: 'AUTHENTICATE', nonce: '1', evt: null, data: { scopes: ['rpc'] } });
  await requested;
  write({ evt: 'E', nonce: null, data: 1 });
  upstreams[0]?.write(frameBytes(Opcode.FRAME, Buffer.from('{"evt":"E","data":"\xe9"}', 'latin1')));
  upstreams[0]?.write(frameBytes(Opcode.FRAME, Buffer.from('{"evt":"E","data":"\xe9"}', 'latin1')));
  await settle();
  write({ code: 4003, message: 'revoked' }, Opcode.CLOSE);
  upstreams[0]?.end();
  await settle();
  const warning = 'the chat client sent text that is not valid UTF-8';
  expect(calls).toEqual([
    ['grant', 'a', ['rpc']],
    ['relay', 'a', 'E', 1],
    ['warn', warning, { session: 'a', clientId: '7' }],
    ['relay', 'a', 'E', '\ufffd'],
    ['relay', 'a', 'E', '\ufffd'],
    ['close', { sessionId: 'a' }, 4003, 'revoked'],
  ]);
});

it('the upstream core describes where its upstream is, and its fallback', async () => {
  const fallback = fakeCore();
  const plain = await bench();
  expect([plain.core.name, plain.core.openMs, plain.describe()]).toEqual(['upstream', 75_000, []]);
  const { describe, open, core, status } = await bench({ location: '/somewhere', fallback });
  await open();
  expect(describe()).toEqual([
    ['upstream', '/somewhere'],
    ['fallback', 'fake, 1 sessions'],
  ]);
  expect(await status()).toMatchObject({ fallback: { core: 'fake', sessions: 1 } });
  await core.stop();
  expect(fallback.stops).toBe(1);
});

it('the upstream core offers the operations of its fallback beside its own', async () => {
  const own = { summary: 'x' } as never;
  const core = upstreamCore({
    connect: () => Promise.reject(new Error('nobody')),
    fallback: { ...fakeCoreBase, start: () => ({ admin: { 'x.y': own } }) },
  });
  const { admin } = await core.start({} as CoreHost);
  expect(Object.keys(admin ?? {})).toEqual([
    'x.y',
    'upstream.list',
    'upstream.primary',
    'upstream.only',
    'upstream.status',
  ]);
});

const fakeCoreBase = { name: 'x', open: () => Promise.reject(new Error('none')), stop() {} };
