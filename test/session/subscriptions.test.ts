import { describe, expect, it } from 'vitest';
import { ErrorCode } from '../../src/protocol/error-code.ts';
import { RpcError } from '../../src/protocol/errors.ts';
import { type AppPeer, asAnswer, settled } from '../helpers/app-peer.ts';
import { type FakeCoreOptions, later } from '../helpers/fake-core.ts';
import { memoryBridge } from '../helpers/memory-bridge.ts';

const EVT = 'VOICE_CHANNEL_SELECT';
const data = (channel_id: string) => ({ channel_id, guild_id: null });
const status = (id: string) => ({ guild: { id, name: 'G', icon_url: null }, online: 0 as const });

/** The events among what has come, as `[name, data]`. */
async function events(peer: AppPeer): Promise<[string | null, unknown][]> {
  return (await peer.rest()).map(asAnswer).map(({ evt, data }) => [evt, data]);
}

describe('SUBSCRIBE', () => {
  it('is answered first, then replays the current values, then dispatches', async () => {
    const { app, core } = await memoryBridge({ subscribe: () => [data('1'), data('2')] });
    const peer = await app();
    const nonce = peer.request('SUBSCRIBE', {}, { evt: EVT });
    expect((await peer.rest()).map(asAnswer)).toEqual([
      { cmd: 'SUBSCRIBE', data: { evt: EVT }, evt: null, nonce },
      { cmd: 'DISPATCH', data: data('1'), evt: EVT, nonce: null },
      { cmd: 'DISPATCH', data: data('2'), evt: EVT, nonce: null },
    ]);
    expect(core.host.emit(EVT, data('3'))).toBe(1);
    expect(await events(peer)).toEqual([[EVT, data('3')]]);
  });
  it('repeated succeeds, and neither adds nor replays anything', async () => {
    let asked = 0;
    const { app, core, server } = await memoryBridge({
      subscribe: () => {
        asked += 1;
        return [data('1')];
      },
    });
    const peer = await app();
    await peer.subscribe(EVT);
    await peer.rest();
    for (const args of [undefined, null, {}, { unknown: 1 }]) {
      expect(await peer.subscribe(EVT, args)).toMatchObject({ data: { evt: EVT } });
    }
    expect(await peer.rest()).toEqual([]);
    expect(asked).toBe(1);
    core.host.emit(EVT, data('2'));
    expect(await events(peer)).toEqual([[EVT, data('2')]]);
    expect(server.sessions()[0]).toMatchObject({ subscriptions: 1 });
  });
  it('with other arguments is another subscription, with its own dispatches', async () => {
    const { app, core, server } = await memoryBridge();
    const peer = await app();
    for (const guild_id of ['1', '2']) await peer.subscribe('GUILD_STATUS', { guild_id });
    expect(server.sessions()[0]).toMatchObject({ subscriptions: 2 });
    for (const id of ['1', '2', '3'])
      core.host.emit('GUILD_STATUS', status(id), { filter: { guild_id: id } });
    expect(await events(peer)).toEqual([
      ['GUILD_STATUS', status('1')],
      ['GUILD_STATUS', status('2')],
    ]);
    // Without a filter each session gets it once.
    core.host.emit('GUILD_STATUS', status('9'));
    expect(await events(peer)).toEqual([['GUILD_STATUS', status('9')]]);
  });
  it.each([
    ['no event', undefined, {}, ErrorCode.INVALID_EVENT],
    ['an event that does not exist', 'GET_CHANNEL', {}, ErrorCode.INVALID_EVENT],
    ['READY', 'READY', {}, ErrorCode.INVALID_EVENT],
    ['ERROR', 'ERROR', {}, ErrorCode.INVALID_EVENT],
    ['an argument missing', 'GUILD_STATUS', {}, ErrorCode.INVALID_PAYLOAD],
    ['an argument of the wrong type', 'GUILD_STATUS', { guild_id: 1 }, ErrorCode.INVALID_PAYLOAD],
    ['arguments that are a list', 'GUILD_STATUS', ['1'], ErrorCode.INVALID_PAYLOAD],
    [
      'an argument only a prototype has',
      'GUILD_STATUS',
      JSON.parse('{"__proto__":{"guild_id":"1"}}'),
      ErrorCode.INVALID_PAYLOAD,
    ],
  ])('with %s is refused without a call of the core', async (_name, evt, args, code) => {
    let asked = 0;
    const { app, server } = await memoryBridge({ subscribe: () => void ++asked as never });
    const peer = await app();
    expect(await peer.call('SUBSCRIBE', args, { evt })).toMatchObject({ evt: 'ERROR', data: { code } });
    expect(asked).toBe(0);
    expect(server.sessions()[0]).toMatchObject({ subscriptions: 0 });
  });
  it('without the scope is refused, and dispatches nothing', async () => {
    const { app, core } = await memoryBridge({ scopes: [] });
    const peer = await app();
    expect(await peer.subscribe(EVT)).toMatchObject({
      data: { code: ErrorCode.INVALID_PERMISSIONS, message: expect.stringContaining('scope rpc;') },
    });
    expect(core.host.emit(EVT, data('1'))).toBe(0);
    expect(await peer.rest()).toEqual([]);
  });
  it('that the core refuses leaves no subscription and can be repeated', async () => {
    const answers = [new RpcError(ErrorCode.INVALID_GUILD, 'guild_id: no such guild')];
    const { app, core, server } = await memoryBridge({
      subscribe: () => {
        const error = answers.pop();
        if (error) throw error;
        return [];
      },
    });
    const peer = await app();
    expect(await peer.subscribe('GUILD_STATUS', { guild_id: '1' })).toMatchObject({
      evt: 'ERROR',
      data: { code: ErrorCode.INVALID_GUILD },
    });
    expect(core.host.emit('GUILD_STATUS', status('1'), { filter: { guild_id: '1' } })).toBe(0);
    expect(server.sessions()[0]).toMatchObject({ subscriptions: 0 });
    expect(await peer.subscribe('GUILD_STATUS', { guild_id: '1' })).toMatchObject({ evt: null });
  });
  it('past the limit is refused, while an existing one still succeeds', async () => {
    const { app, server } = await memoryBridge({ limits: { subscriptions: 3 } });
    const peer = await app();
    for (const guild_id of ['1', '2', '3']) await peer.subscribe('GUILD_STATUS', { guild_id });
    expect(await peer.subscribe('GUILD_STATUS', { guild_id: '4' })).toMatchObject({
      data: { code: ErrorCode.INVALID_PAYLOAD, message: 'At most 3 subscriptions per connection' },
    });
    expect(await peer.subscribe('GUILD_STATUS', { guild_id: '3' })).toMatchObject({ evt: null });
    await peer.call('UNSUBSCRIBE', { guild_id: '1' }, { evt: 'GUILD_STATUS' });
    expect(await peer.subscribe('GUILD_STATUS', { guild_id: '4' })).toMatchObject({ evt: null });
    expect(server.sessions()[0]).toMatchObject({ subscriptions: 3 });
  });
});

describe('an event between SUBSCRIBE and its answer', () => {
  it('leaves once, after the answer and the replay', async () => {
    const current = later<unknown[]>();
    const { app, core } = await memoryBridge({ subscribe: () => current.promise });
    const peer = await app();
    peer.request('SUBSCRIBE', {}, { evt: EVT });
    await settled();
    expect(core.host.emit(EVT, data('2'))).toBe(1);
    expect(await peer.rest()).toEqual([]);
    current.resolve([data('1')]);
    expect(await events(peer)).toEqual([
      [null, { evt: EVT }],
      [EVT, data('1')],
      [EVT, data('2')],
    ]);
  });
  it('is sent at once to an answered subscription of the same event', async () => {
    const slow = later<unknown[]>();
    const { app, core } = await memoryBridge({
      subscribe: (_evt, args) => ((args as { guild_id: string }).guild_id === '2' ? slow.promise : []),
    });
    const peer = await app();
    await peer.subscribe('GUILD_STATUS', { guild_id: '1' });
    peer.request('SUBSCRIBE', { guild_id: '2' }, { evt: 'GUILD_STATUS' });
    await settled();
    core.host.emit('GUILD_STATUS', status('1'), { filter: { guild_id: '1' } });
    expect(await events(peer)).toEqual([['GUILD_STATUS', status('1')]]);
  });
});

describe('UNSUBSCRIBE', () => {
  it('ends the dispatches for those arguments only, and notifies the core', async () => {
    const told: unknown[] = [];
    const { app, core } = await memoryBridge({ unsubscribe: (...call) => void told.push(call) });
    const peer = await app();
    for (const guild_id of ['1', '2']) await peer.subscribe('GUILD_STATUS', { guild_id });
    expect(await peer.call('UNSUBSCRIBE', { guild_id: '1' }, { evt: 'GUILD_STATUS' })).toMatchObject({
      evt: null,
      data: { evt: 'GUILD_STATUS' },
    });
    for (const id of ['1', '2']) core.host.emit('GUILD_STATUS', status(id), { filter: { guild_id: id } });
    expect(await events(peer)).toEqual([['GUILD_STATUS', status('2')]]);
    expect(told).toEqual([['GUILD_STATUS', { guild_id: '1' }]]);
  });
  it('without a subscription succeeds, needs no scope and does not notify the core', async () => {
    const told: unknown[] = [];
    const { app } = await memoryBridge({ scopes: [], unsubscribe: (...call) => void told.push(call) });
    const peer = await app();
    expect(await peer.call('UNSUBSCRIBE', { guild_id: '1' }, { evt: 'GUILD_STATUS' })).toMatchObject({
      data: { evt: 'GUILD_STATUS' },
    });
    expect(told).toEqual([]);
  });
  it.each([undefined, 'NO_SUCH', 'READY'])('of the event %s is refused', async (evt) => {
    const { app } = await memoryBridge();
    expect(await (await app()).call('UNSUBSCRIBE', {}, { evt })).toMatchObject({
      data: { code: ErrorCode.INVALID_EVENT },
    });
  });
  it('cancels a SUBSCRIBE that is not answered yet', async () => {
    const current = later<unknown[]>();
    const { app, core } = await memoryBridge({ subscribe: () => current.promise });
    const peer = await app();
    peer.request('SUBSCRIBE', {}, { evt: EVT });
    await settled();
    await peer.call('UNSUBSCRIBE', {}, { evt: EVT });
    current.resolve([data('1')]);
    // The first SUBSCRIBE still gets its one answer, and nothing is dispatched after it.
    expect(await events(peer)).toEqual([[null, { evt: EVT }]]);
    expect(core.host.emit(EVT, data('2'))).toBe(0);
  });
  it('between two SUBSCRIBEs separates them', async () => {
    const answers = [later<unknown[]>(), later<unknown[]>()];
    const gates = [...answers];
    const { app, core } = await memoryBridge({ subscribe: () => gates.shift()?.promise ?? [] });
    const peer = await app();
    peer.request('SUBSCRIBE', {}, { evt: EVT, nonce: 'first' });
    await settled();
    await peer.call('UNSUBSCRIBE', {}, { evt: EVT });
    peer.request('SUBSCRIBE', {}, { evt: EVT, nonce: 'second' });
    await settled();
    answers[0]?.reject(new RpcError(ErrorCode.INVALID_CHANNEL, 'late refusal'));
    core.host.emit(EVT, data('1'));
    expect((await peer.rest()).map(asAnswer)).toMatchObject([{ nonce: 'first', evt: 'ERROR' }]);
    answers[1]?.resolve([data('0')]);
    expect(await events(peer)).toEqual([
      [null, { evt: EVT }],
      [EVT, data('0')],
      [EVT, data('1')],
    ]);
  });
});

describe('a core that replays', () => {
  const wrong: [string, FakeCoreOptions['subscribe']][] = [
    ['no list', () => 5 as never],
    ['an object', () => ({ length: 1 }) as never],
    ['a text', () => 'ab' as never],
  ];
  it.each(wrong)('%s fails that SUBSCRIBE alone', async (_name, subscribe) => {
    const { app, log } = await memoryBridge({ ...(subscribe ? { subscribe } : {}) });
    const peer = await app();
    expect(await peer.subscribe(EVT)).toMatchObject({
      evt: 'ERROR',
      data: { code: ErrorCode.UNKNOWN_ERROR, message: 'The client gave no valid answer to SUBSCRIBE' },
    });
    expect(await peer.rest()).toEqual([]);
    expect(log).toContainEqual(expect.objectContaining({ level: 'warn', cmd: 'SUBSCRIBE' }));
  });
  it.each([
    ['what JSON cannot hold', 1n],
    ['more than a frame may have', 'x'.repeat(3 * 1024 * 1024)],
  ])('%s loses that value alone', async (_name, value) => {
    const { app, log } = await memoryBridge({ subscribe: () => [value, data('1')] });
    const peer = await app();
    peer.request('SUBSCRIBE', {}, { evt: EVT });
    expect(await events(peer)).toEqual([
      [null, { evt: EVT }],
      [EVT, data('1')],
    ]);
    expect(log).toContainEqual(expect.objectContaining({ level: 'warn' }));
  });
  it('nothing, undefined or null lets SUBSCRIBE succeed', async () => {
    for (const none of [[], undefined, null]) {
      const { app } = await memoryBridge({ subscribe: () => none as never });
      const peer = await app();
      expect(await peer.subscribe(EVT)).toMatchObject({ evt: null });
      expect(await peer.rest()).toEqual([]);
    }
  });
});
