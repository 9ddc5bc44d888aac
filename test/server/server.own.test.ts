import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ARRIVAL_MS } from '../../src/server/connection-slots.ts';
import { createServer } from '../../src/server/server.ts';
import { defaultLimits } from '../../src/session/limits.ts';
import { memoryTransport } from '../../src/transport/memory.ts';
import type { Transport } from '../../src/transport/transport.ts';
import { CloseCode, Opcode } from '../../src/wire/codes.ts';
import { asAnswer, CLIENT_ID, settled } from '../helpers/app-peer.ts';
import { fakeCore, later } from '../helpers/fake-core.ts';
import { memoryBridge } from '../helpers/memory-bridge.ts';

const EVT = 'VOICE_CHANNEL_SELECT';
const data = (channel_id: string) => ({ channel_id, guild_id: null });

/** A transport that writes down what it is asked. */
function countingTransport(fail?: Error): Transport & { calls: string[] } {
  const calls: string[] = [];
  return {
    calls,
    async listen() {
      calls.push('listen');
      if (fail) throw fail;
      return [{ kind: 'memory', path: 'counting' }];
    },
    stopAccepting: () => void calls.push('stopAccepting'),
    async close() {
      calls.push('close');
    },
  };
}

describe('starting a server', () => {
  it('starts the core before the transports listen, and names the endpoints', async () => {
    const order: string[] = [];
    const transport = countingTransport();
    const core = fakeCore({ start: () => void order.push(...transport.calls, 'core') });
    const server = await createServer({ transports: [transport, memoryTransport()], core });
    expect([...order, ...transport.calls]).toEqual(['core', 'listen']);
    expect(server.endpoints.map(({ path }) => path)).toEqual(['counting', 'memory']);
    expect(server.core).toMatchObject({ name: 'fake', admin: {} });
    expect(server.core.describe()).toEqual([]);
    await server.close();
    expect(transport.calls).toEqual(['listen', 'close']);
    expect(core.stops).toBe(1);
  });
  it('closes every transport it opened, stops the core and rejects with the reason when one transport fails', async () => {
    const [good, bad, never] = [
      countingTransport(),
      countingTransport(new Error('taken')),
      countingTransport(),
    ];
    const core = fakeCore();
    await expect(createServer({ transports: [good, bad, never], core })).rejects.toThrow('taken');
    expect(good.calls).toEqual(['listen', 'close']);
    expect(never.calls).toEqual([]);
    expect(core.stops).toBe(1);
  });
  it('opens no transport when the core does not start', async () => {
    const transport = countingTransport();
    const core = fakeCore({
      start: () => {
        throw new Error('broken fixture');
      },
    });
    await expect(createServer({ transports: [transport], core })).rejects.toThrow('broken fixture');
    expect(transport.calls).toEqual([]);
  });
});

describe('a full server', () => {
  it('refuses one more connection with 1006, and accepts the next when one has left', async () => {
    const { app, connect, server, core } = await memoryBridge({ limits: { connections: 3 } });
    const apps = [await app(), await app(), await app()];
    expect(await connect().closed()).toMatchObject({ code: CloseCode.ABNORMAL });
    expect(server.counters()).toMatchObject({ accepted: 3, refused: 1, sessions: 3 });
    for (const one of apps) expect(await one.call('GET_GUILDS')).toMatchObject({ evt: null });
    apps[0]?.end();
    await settled();
    await app();
    expect(core.peers).toHaveLength(4);
  });
});

describe('silent connections', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
  afterEach(() => void vi.useRealTimers());
  /** Lets everything that has connected so far count as silent. */
  const arrive = async (): Promise<void> => {
    await vi.advanceTimersByTimeAsync(ARRIVAL_MS);
    for (let turn = 0; turn < 9; turn += 1) await new Promise(setImmediate);
  };

  it('beyond the limit are dropped, the oldest first', async () => {
    const { connect, server } = await memoryBridge({ limits: { silentConnections: 3 } });
    const silent = [connect(), connect(), connect(), connect()];
    await arrive();
    expect(await silent[0]?.next()).toBeUndefined();
    expect(server.sessions()).toHaveLength(3);
    for (const one of silent.slice(1)) await one.handshake();
  });
  it('are given time for their handshake, however many connect at once', async () => {
    const { connect, server } = await memoryBridge({ limits: { silentConnections: 3 } });
    const apps = Array.from({ length: 200 }, () => connect());
    await vi.advanceTimersByTimeAsync(ARRIVAL_MS / 2);
    for (const one of apps) await one.handshake();
    await arrive();
    expect(server.counters()).toMatchObject({ sessions: 200, ready: 200 });
  });
  it('never displace one that has sent a handshake', async () => {
    const opening = later();
    const { app, connect, server } = await memoryBridge({
      limits: { silentConnections: 2 },
      open: ({ clientId }) => (clientId === '2' ? opening.promise : undefined),
    });
    const ready = await app();
    const waiting = connect();
    waiting.send(Opcode.HANDSHAKE, { v: 1, client_id: '2' });
    for (let i = 0; i < 10; i++) connect();
    await arrive();
    expect(server.sessions().map(({ state }) => state)).toEqual([
      'ready',
      'identifying',
      'handshaking',
      'handshaking',
    ]);
    opening.resolve();
    expect(await waiting.answer()).toMatchObject({ evt: 'READY' });
    expect(await ready.call('GET_GUILDS')).toMatchObject({ evt: null });
  });
  it('cannot lock out an app, even a thousand in one turn', async () => {
    const { app, connect, server } = await memoryBridge();
    for (let i = 0; i < 1000; i++) connect();
    const good = await app();
    expect(await good.call('GET_GUILDS')).toMatchObject({ evt: null });
    expect(server.counters()).toMatchObject({ refused: 0 });
    await arrive();
    expect(server.sessions()).toHaveLength(defaultLimits.silentConnections + 1);
    expect(await good.call('GET_GUILDS')).toMatchObject({ evt: null });
  });
  it('of one process displace each other alone, however slow other handshakes are [T36]', async () => {
    const [greedy, honest] = [7, 8];
    const { connect, server } = await memoryBridge({ limits: { silentConnections: 8 } });
    const slow = [connect(honest), connect(9), connect(10)];
    for (let round = 0; round < 20; round++) {
      for (let i = 0; i < 10; i++) connect(greedy);
      await vi.advanceTimersByTimeAsync(ARRIVAL_MS / 10);
    }
    await arrive();
    expect(server.sessions().filter(({ pid }) => pid === greedy)).toHaveLength(5);
    for (const peer of slow) {
      peer.send(Opcode.HANDSHAKE, { v: 1, client_id: CLIENT_ID });
      expect(await peer.answer()).toMatchObject({ evt: 'READY' });
    }
  });
  it('are displaced before a connection is refused for lack of slots', async () => {
    const { app, connect, server } = await memoryBridge({ limits: { connections: 4, silentConnections: 2 } });
    await app();
    await app();
    connect();
    connect();
    await app();
    expect(server.counters()).toMatchObject({ refused: 0, sessions: 4 });
  });
  it('are displaced also when their own limit exceeds the slots', async () => {
    const { app, connect, server } = await memoryBridge({
      limits: { connections: 4, silentConnections: 64 },
    });
    await app();
    for (let i = 0; i < 20; i++) connect();
    await app();
    await app();
    await app();
    expect(server.counters()).toMatchObject({ refused: 0, sessions: 4 });
    // With nobody silent there is nobody to make room.
    expect((await connect().closed()).code).toBe(CloseCode.ABNORMAL);
    expect(server.counters()).toMatchObject({ refused: 1, sessions: 4 });
  });
});

describe('events', () => {
  it('reach every subscriber once, whatever its application', async () => {
    const { app, core, server } = await memoryBridge();
    const [one, two, deaf] = [await app('1'), await app('2'), await app('3')];
    await one.subscribe(EVT);
    await two.subscribe(EVT);
    expect(core.host.emit(EVT, data('7'))).toBe(2);
    for (const peer of [one, two]) {
      expect((await peer.rest()).map(asAnswer)).toEqual([
        { cmd: 'DISPATCH', data: data('7'), evt: EVT, nonce: null },
      ]);
    }
    expect(await deaf.rest()).toEqual([]);
    expect(server.counters()).toMatchObject({ dispatched: 2 });
  });
  it('with a target reach that target only', async () => {
    const { app, core } = await memoryBridge();
    const [one, two] = [await app('1'), await app('2')];
    for (const peer of [one, two]) await peer.subscribe(EVT);
    await two.call('AUTHENTICATE', { access_token: 'rpc' });
    for (const to of [{ clientId: '2' }, { sessionId: core.peers[1]?.sessionId ?? '' }, { token: 'rpc' }]) {
      expect(core.host.emit(EVT, data('1'), to)).toBe(1);
      expect(await two.rest()).toHaveLength(1);
    }
    expect(core.host.emit(EVT, data('1'), { clientId: '3' })).toBe(0);
    expect(await one.rest()).toEqual([]);
  });
  it('do not reach a peer that has unsubscribed or left meanwhile', async () => {
    const { app, core } = await memoryBridge();
    const [one, two] = [await app(), await app()];
    for (const peer of [one, two]) await peer.subscribe(EVT);
    expect(core.host.emit(EVT, data('1'))).toBe(2);
    one.request('UNSUBSCRIBE', {}, { evt: EVT });
    two.end();
    expect((await one.rest()).map((frame) => asAnswer(frame).cmd)).toEqual(['UNSUBSCRIBE']);
    expect(await two.rest()).toEqual([]);
  });
  it('arrive in order', async () => {
    const { app, core } = await memoryBridge();
    const peer = await app();
    await peer.subscribe(EVT);
    for (let i = 0; i < 50; i++) core.host.emit(EVT, data(String(i)));
    const ids = (await peer.rest()).map((frame) => asAnswer(frame).data.channel_id);
    expect(ids).toEqual(Array.from({ length: 50 }, (_, i) => String(i)));
  });
  it('larger than the frame limit are dropped and logged', async () => {
    const { app, core, log } = await memoryBridge();
    const peer = await app();
    await peer.subscribe(EVT);
    expect(core.host.emit(EVT, data('x'.repeat(3 * 1024 * 1024)))).toBe(0);
    expect(await peer.rest()).toEqual([]);
    expect(log).toContainEqual(expect.objectContaining({ level: 'warn', evt: EVT }));
    expect(await peer.call('GET_GUILDS')).toMatchObject({ evt: null });
  });
  it('of the wrong shape, or that JSON cannot hold, are dropped and logged', async () => {
    const { app, core, log } = await memoryBridge();
    const peer = await app();
    await peer.subscribe(EVT);
    const wrong = [null, [], { channel_id: 7 }, { channel_id: {} }, { ...data('1'), more: 1n }];
    for (const one of wrong) expect(core.host.emit(EVT, one as never)).toBe(0);
    expect(await peer.rest()).toEqual([]);
    expect(log.filter(({ message }) => message === 'event dropped')).toHaveLength(wrong.length);
  });
  it('emitted from open() reach no peer and cause no error', async () => {
    const bridge = await memoryBridge({ open: () => void bridge.core.host.emit(EVT, data('1')) });
    const peer = await bridge.app();
    expect(await peer.rest()).toEqual([]);
  });
});

it('grant() adds scopes to one session, and to no other', async () => {
  const { app, core } = await memoryBridge({ scopes: [] });
  const [one, two] = [await app(), await app()];
  core.host.grant(core.peers[0]?.sessionId ?? '', ['sdk.social_layer', 'rpc']);
  core.host.grant('no such session', ['rpc']);
  expect(await one.call('GET_GUILDS')).toMatchObject({ evt: null });
  expect(await two.call('GET_GUILDS')).toMatchObject({ evt: 'ERROR' });
});

describe('drain', () => {
  afterEach(() => void vi.useRealTimers());

  it('answers the requests in flight, then closes every session with 1000', async () => {
    const slow = later<{ guilds: [] }>();
    const { app, server } = await memoryBridge({ handlers: { GET_GUILDS: () => slow.promise } });
    const [busy, idle] = [await app(), await app()];
    const nonce = busy.request('GET_GUILDS');
    await settled();
    const drained = server.drain();
    expect(await idle.rest()).toEqual([]);
    slow.resolve({ guilds: [] });
    await drained;
    expect(await busy.answer()).toMatchObject({ nonce });
    for (const peer of [busy, idle]) expect(await peer.closed()).toMatchObject({ code: CloseCode.NORMAL });
    await settled();
    expect(server.sessions()).toEqual([]);
  });
  it('accepts no connection from its start on', async () => {
    const { app, connect, server } = await memoryBridge({
      handlers: { GET_GUILDS: () => new Promise(() => {}) },
    });
    const busy = await app();
    busy.request('GET_GUILDS');
    void server.drain();
    expect(() => connect()).toThrow('does not listen');
  });
  it('waits up to its limit for an answer that never comes', async () => {
    const { app, server } = await memoryBridge({
      limits: { drainMs: 700 },
      handlers: { GET_GUILDS: () => new Promise(() => {}) },
    });
    const busy = await app();
    busy.request('GET_GUILDS');
    await settled();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const drained = server.drain();
    vi.advanceTimersByTime(699);
    expect(await busy.rest()).toEqual([]);
    vi.advanceTimersByTime(1);
    await drained;
    expect(await busy.closed()).toMatchObject({ code: CloseCode.NORMAL });
  });
  it('leaves no timer when no request is in flight', async () => {
    const { server } = await memoryBridge();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    await server.drain();
    expect(vi.getTimerCount()).toBe(0);
  });
});

it('close() at once ends every session, ready or not, and stops the core last', async () => {
  const order: string[] = [];
  const { app, connect, server, core } = await memoryBridge({
    close: () => void order.push(`left ${core.stops}`),
  });
  const [silent, ready] = [connect(), await app()];
  silent.send(Opcode.PING, 1);
  await server.close();
  expect(await ready.closed()).toMatchObject({ code: CloseCode.NORMAL });
  expect(await silent.next()).toEqual({ opcode: Opcode.PONG, body: 1 });
  expect(await silent.closed()).toMatchObject({ code: CloseCode.NORMAL });
  expect(order).toEqual(['left 0']);
  expect(core.stops).toBe(1);
  expect(CLIENT_ID).toBe(core.peers[0]?.clientId);
});
