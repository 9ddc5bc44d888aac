import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { CLIENT_ID } from '../../helpers/app-peer.ts';
import { type AttachBridge, attachBridge, person } from '../../helpers/attach-bridge.ts';
import { PlainWebSocket } from '../../helpers/plain-web-socket.ts';

const rpc = { jsonrpc: '2.0' };
const token = { access_token: 'the-token' };

/** A client that speaks the protocol by hand, after its hello. */
async function raw(bridge: AttachBridge, commands: readonly string[] = [], name = 'raw') {
  const { code } = (await bridge.run('attach.pair', { name })) as { code: string };
  const socket = new PlainWebSocket(bridge.url());
  await socket.opened();
  socket.send({ ...rpc, id: 1, method: 'hello', params: { v: 1, code, commands, user: person } });
  await socket.next();
  return socket;
}

type Said = { method?: string; id?: number; params?: { cmd?: string } };
async function until(socket: PlainWebSocket, method: string): Promise<Said> {
  for (;;) {
    const said = (await socket.next()) as Said;
    if (said.method === method) return said;
  }
}

const authenticated = (more: object = {}) => ({
  application: { id: CLIENT_ID, name: 'App' },
  scopes: ['rpc'],
  expires: '2030-01-01T00:00:00.000Z',
  ...more,
});

describe('the expiry that an attached client returns with a token', () => {
  it.each([
    ['2020-01-01T00:00:00.000Z', 4009],
    ['soon', 1000],
    [7, 1000],
    [undefined, 1000],
  ])('of %j authenticates no session', async (expires, code) => {
    const { client, app } = await attachBridge();
    await client('web', { handlers: { AUTHENTICATE: () => authenticated({ expires }) } });
    const peer = await app();
    expect(await peer.call('AUTHENTICATE', token)).toMatchObject({ evt: 'ERROR', data: { code } });
    expect(await peer.call('GET_GUILDS')).toMatchObject({ data: { code: 4006 } });
  });

  it('closes the session when it has passed, and no other session', async () => {
    const { client, app } = await attachBridge();
    let expires = (): string => '2030-01-01T00:00:00.000Z';
    await client('web', {
      handlers: {
        AUTHENTICATE: () => authenticated({ expires: expires() }),
        GET_GUILDS: () => ({ guilds: [] }),
      },
    });
    const other = await app();
    await other.call('AUTHENTICATE', { access_token: 'another' });
    const peer = await app();
    // From its answer on: a busy machine may take long until then.
    expires = () => new Date(Date.now() + 700).toISOString();
    expect(await peer.call('AUTHENTICATE', token)).toMatchObject({ evt: null });
    expect(await peer.call('GET_GUILDS')).toMatchObject({ data: { guilds: [] } });
    expect(await peer.closed()).toEqual({ code: 4003, message: 'Token expired' });
    expect(await other.call('GET_GUILDS')).toMatchObject({ data: { guilds: [] } });
  });

  it.each([
    ['GET_GUILDS', undefined],
    ['SET_ACTIVITY', undefined],
    ['SUBSCRIBE', 'VOICE_SETTINGS_UPDATE'],
  ])('applies to %s when the clock jumps past it', async (cmd, evt) => {
    const { client, app } = await attachBridge();
    await client('web', {
      handlers: { AUTHENTICATE: () => authenticated(), GET_GUILDS: () => ({ guilds: [] }) },
    });
    const peer = await app();
    await peer.call('AUTHENTICATE', token);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2031-01-01') });
    try {
      peer.request(cmd, cmd === 'SET_ACTIVITY' ? { pid: 1, activity: null } : {}, { evt });
      expect(await peer.closed()).toEqual({ code: 4003, message: 'Token expired' });
    } finally {
      vi.useRealTimers();
    }
  });

  it('may be far away, without a timer that closes the session at once', async () => {
    const { client, app } = await attachBridge();
    await client('web', {
      handlers: {
        AUTHENTICATE: () => authenticated({ expires: '9999-01-01T00:00:00.000Z' }),
        GET_GUILDS: () => ({ guilds: [] }),
      },
    });
    const peer = await app();
    await peer.call('AUTHENTICATE', token);
    await sleep(50);
    expect(await peer.call('GET_GUILDS')).toMatchObject({ data: { guilds: [] } });
  });
});

describe('a hostile attached client [T68]', () => {
  it('that never answers accumulates no requests', async () => {
    const bridge = await attachBridge({}, { answerMs: 200 });
    const socket = await raw(bridge, ['AUTHENTICATE', 'GET_GUILDS']);
    const peer = await bridge.app();
    peer.request('AUTHENTICATE', token);
    const { id } = await until(socket, 'call');
    socket.send({ ...rpc, id, result: authenticated() });
    await peer.answer();
    peer.request('GET_GUILDS');
    const asked = await until(socket, 'call');
    // The app is told after `answer_ms`, and the question is taken back.
    expect(await peer.answer()).toMatchObject({ data: { code: 1001 } });
    expect(await until(socket, 'withdrawn')).toMatchObject({ params: { id: asked.id } });
    // Whoever asks next is told at once: the client is not asked, and hears of what came after it.
    expect(await peer.call('GET_GUILDS')).toMatchObject({ data: { code: 1001 } });
    await bridge.app();
    expect(((await socket.next()) as Said).method).toBe('session_opened');
    socket.send({ ...rpc, id: asked.id, result: { guilds: [] } });
    expect(await peer.rest()).toEqual([]);
  });

  it.each<[string, unknown]>([
    ['nested a hundred thousand levels deep', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
    ['of the wrong shape', JSON.stringify({ guilds: 'none' })],
    ['too large for a frame', JSON.stringify({ guilds: [], more: 'x'.repeat(3 * 1024 * 1024) })],
    ['with names of prototypes', '{"__proto__":{"x":1},"constructor":7,"guilds":[]}'],
  ])('fails only one request with one response %s', async (_name, result) => {
    const bridge = await attachBridge();
    const socket = await raw(bridge, ['AUTHENTICATE', 'GET_GUILDS']);
    const peer = await bridge.app();
    peer.request('AUTHENTICATE', token);
    const { id } = await until(socket, 'call');
    socket.send({ ...rpc, id, result: authenticated() });
    await peer.answer();
    peer.request('GET_GUILDS');
    const asked = await until(socket, 'call');
    socket.send(`{"jsonrpc":"2.0","id":${asked.id},"result":${String(result)}}`);
    const answer = await peer.answer();
    expect(answer.nonce).not.toBeNull();
    if (!String(result).includes('__proto__')) expect(answer).toMatchObject({ evt: 'ERROR' });
    expect(await peer.rest()).toEqual([]);
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  });

  it('changes no session with an event that no session may receive', async () => {
    const bridge = await attachBridge();
    const socket = await raw(bridge, ['AUTHENTICATE']);
    const peer = await bridge.app();
    peer.request('AUTHENTICATE', token);
    const { id } = await until(socket, 'call');
    socket.send({ ...rpc, id, result: authenticated({ scopes: ['identify', 'rpc'] }) });
    await peer.answer();
    peer.request('SUBSCRIBE', {}, { evt: 'CURRENT_USER_UPDATE' });
    socket.send({ ...rpc, id: (await until(socket, 'subscribe')).id, result: ['no user', null, 7] });
    await peer.answer();
    const event = (params: object): void => socket.send({ ...rpc, method: 'event', params });
    event({ evt: 'READY', data: { v: 1 } });
    event({ evt: 'ERROR', data: { code: 1 } });
    event({ evt: 'constructor', data: {} });
    event({ evt: 'CURRENT_USER_UPDATE', data: 'no user' });
    event({ evt: 'CURRENT_USER_UPDATE', data: { ...person, bot: 'x'.repeat(3 * 1024 * 1024) } });
    event({ evt: 'CURRENT_USER_UPDATE', data: person, filter: { x: { y: 1 } }, session: 'nobody' });
    socket.send({ ...rpc, method: 'token_revoked', params: { token: '' } });
    event({ evt: 'CURRENT_USER_UPDATE', data: { ...person, username: 'last' } });
    expect(await peer.answer()).toMatchObject({ evt: 'CURRENT_USER_UPDATE', data: { username: 'last' } });
  });

  it('that floods is read slowly, and others are served meanwhile', async () => {
    const FLOOD = 20_000;
    const bridge = await attachBridge();
    const socket = await raw(bridge);
    const peer = await bridge.app();
    const begun = performance.now();
    // Answers to what nobody asked are counted, one by one.
    for (let i = 0; i < FLOOD; i++) socket.send({ ...rpc, id: 1_000_000 + i, result: null });
    const counted = async (): Promise<number | undefined> => {
      const { clients } = (await bridge.run('attach.list')) as {
        clients: { attached: { ignored: number }[] }[];
      };
      return clients[0]?.attached[0]?.ignored;
    };
    await expect.poll(counted).toBeGreaterThan(0);
    for (let i = 0; i < 20; i++) expect((await peer.call('SET_ACTIVITY', { pid: 1 })).evt).toBeNull();
    // None of it is lost, nor the client for it.
    await expect.poll(counted, { timeout: 20_000 }).toBe(FLOOD);
    // 5,000 a second: the rest waited in its socket. No machine is slow enough to be faster than that.
    expect(performance.now() - begun).toBeGreaterThan(2000);
  });

  it('cannot block other clients with silent connections', async () => {
    const bridge = await attachBridge();
    const silent = Array.from({ length: 40 }, () => new PlainWebSocket(bridge.url()));
    await Promise.all(silent.map((socket) => socket.opened()));
    await raw(bridge);
  });

  it('does not stop the bridge when the disk is full during pairing', async () => {
    const bridge = await attachBridge({
      store: {
        load: () => [],
        save: () => ({ kind: 'failed', reason: 'the disk is full (ENOSPC)' }),
      },
    });
    const socket = await raw(bridge);
    const peer = await bridge.app();
    expect(await until(socket, 'session_opened')).toMatchObject({ params: { clientId: CLIENT_ID } });
    expect(await peer.call('SET_ACTIVITY', { pid: 1 })).toMatchObject({ data: null });
  });

  it('is counted as refused for a message of a hundred megabytes', async () => {
    const bridge = await attachBridge();
    const socket = await raw(bridge);
    socket.send('x'.repeat(100 * 1024 * 1024));
    expect([1009, 1006]).toContain((await socket.closed()).code);
    await expect.poll(async () => await bridge.run('attach.list')).toMatchObject({ refused: 1 });
  });
});

it('a client can attach after any number of subscriptions of apps', async () => {
  const bridge = await attachBridge();
  const peers = await Promise.all(Array.from({ length: 10 }, () => bridge.app()));
  const long = 'x'.repeat(300);
  for (const peer of peers) {
    for (let i = 0; i < 1000; i++)
      peer.request('SUBSCRIBE', { guild_id: `${i}` }, { evt: 'GUILD_STATUS', nonce: long });
  }
  for (const peer of peers) for (let i = 0; i < 1000; i++) await peer.answer();
  const web = await bridge.client('web');
  expect(web.states).toEqual(['attached']);
}, 60_000);
