import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { ANY_APP } from '../../../src/daemon/origin-list.ts';
import { closeReason } from '../../../src/loopback/raw-answer.ts';
import { ErrorCode } from '../../../src/protocol/error-code.ts';
import { RpcError } from '../../../src/protocol/errors.ts';
import { CloseError } from '../../../src/wire/close-error.ts';
import { CloseCode, Opcode } from '../../../src/wire/codes.ts';
import { CLIENT_ID, settled } from '../../helpers/app-peer.ts';
import { fakeReady, later } from '../../helpers/fake-core.ts';
import { head, loopback, ORIGIN, QUERY, upgradeHeaders, webBridge } from '../../helpers/web-bridge.ts';

const KIB = 1024;

describe('a WebSocket session', () => {
  it('receives READY without a request, and without the user in it (§9 case 22)', async () => {
    const { connect, core } = await webBridge();
    const { data, ...rest } = await connect().answer();
    expect(rest).toEqual({ cmd: 'DISPATCH', evt: 'READY', nonce: null });
    expect(data).toEqual({ v: 1, config: fakeReady.config });
    expect(core.peers[0]).toMatchObject({ clientId: CLIENT_ID, transport: 'websocket', origin: ORIGIN });
  });
  it('receives the user in READY when that is enabled', async () => {
    const { connect } = await webBridge({ readyUser: () => true });
    expect((await connect().answer()).data.user).toEqual(fakeReady.user);
  });
  it('serves the start-up of a voice app, including nine subscriptions at once', async () => {
    const { app: start } = await webBridge({
      handlers: {
        AUTHENTICATE: ({ access_token }) => {
          if (!access_token) throw new RpcError(ErrorCode.INVALID_TOKEN, 'No token');
          return {
            application: { id: CLIENT_ID, name: 'Overlay' },
            scopes: ['rpc', 'identify'],
            expires: '2030-01-01T00:00:00.000Z',
            access_token,
          };
        },
        GET_SELECTED_VOICE_CHANNEL: () => null,
        GET_CHANNELS: () => ({ channels: [] }),
      },
      scopes: [],
      subscribe: () => [],
    });
    const app = await start();
    expect(await app.call('AUTHENTICATE', { access_token: null })).toMatchObject({
      evt: 'ERROR',
      data: { code: 4009 },
    });
    const { data } = await app.call('AUTHORIZE', { client_id: CLIENT_ID, scopes: ['rpc'], prompt: 'none' });
    expect(data).toEqual({ code: 'the-code' });
    expect(await app.call('AUTHENTICATE', { access_token: 'a-token' })).toMatchObject({ evt: null });
    const events = [
      'VOICE_SETTINGS_UPDATE',
      'VOICE_CHANNEL_SELECT',
      'VOICE_CONNECTION_STATUS',
      'CHANNEL_CREATE',
      'GUILD_CREATE',
      'CURRENT_USER_UPDATE',
    ];
    for (const evt of events) app.request('SUBSCRIBE', {}, { evt });
    for (const evt of ['VOICE_STATE_CREATE', 'SPEAKING_START', 'SPEAKING_STOP']) {
      app.request('SUBSCRIBE', { channel_id: '199737254929760257' }, { evt });
    }
    for (let i = 0; i < 9; i++) expect(await app.answer()).toMatchObject({ cmd: 'SUBSCRIBE', evt: null });
    expect((await app.call('GET_SELECTED_VOICE_CHANNEL')).data).toBeNull();
    expect((await app.call('GET_GUILDS')).data).toEqual({ guilds: [] });
    expect((await app.call('GET_CHANNELS', { guild_id: '199737254929760256' })).data).toEqual({
      channels: [],
    });
  });
  it('receives each event as a message of its own', async () => {
    const { app: start, core } = await webBridge();
    const app = await start();
    await app.subscribe('GUILD_CREATE');
    for (const id of ['1', '2', '3']) core.host.emit('GUILD_CREATE', { id, name: `guild ${id}` });
    for (const id of ['1', '2', '3']) {
      expect(await app.answer()).toMatchObject({ evt: 'GUILD_CREATE', nonce: null, data: { id } });
    }
  });
  it('never has the scope rpc.local (protocol 4.2)', async () => {
    const { app: start, server } = await webBridge({ scopes: [] });
    const app = await start();
    expect(server.sessions()[0]?.scopes).toEqual([]);
    expect(await app.call('SET_ACTIVITY', { pid: 1, activity: null })).toMatchObject({
      evt: 'ERROR',
      data: { code: 4006 },
    });
  });
  it.each([
    ['https://canary.discord.com', ['rpc.private', 'rpc.private.limited']],
    [ORIGIN, []],
  ])('from %s has the scopes %j', async (origin, scopes) => {
    const clientId = origin === ORIGIN ? CLIENT_ID : ANY_APP;
    const { connect, server } = await webBridge({ scopes: [], origins: [{ clientId, origin }] });
    await connect(QUERY, { origin }).answer();
    expect(server.sessions()[0]?.scopes).toEqual(scopes);
  });
  it('needs no version in the query, as over IPC', async () => {
    const { connect } = await webBridge();
    expect(await connect(`/?client_id=${CLIENT_ID}`).answer()).toMatchObject({ evt: 'READY' });
  });
  it('is listed as ready, and removed when the app has left', async () => {
    const gone = later<string>();
    const { app: start, server } = await webBridge({ close: () => gone.resolve('gone') });
    const app = await start();
    expect(server.sessions()).toMatchObject([
      { transport: 'websocket', state: 'ready', clientId: CLIENT_ID },
    ]);
    app.end();
    await gone.promise;
    await settled();
    expect(server.sessions()).toEqual([]);
  });
});

describe('a WebSocket is closed', () => {
  it.each([
    [`/?v=2&client_id=${CLIENT_ID}`, 4004, 'version'],
    [`/?v=&client_id=${CLIENT_ID}`, 4004, 'version'],
    ['/?v=1', 4000, 'missing'],
    ['/?v=1&client_id=', 4000, 'missing'],
    ['/?v=1&client_id=abc', 4000, 'Invalid Client ID'],
    [`/?v=1&client_id=${CLIENT_ID}&encoding=etf`, 4005, 'Encoding'],
    [`/?v=1&client_id=${CLIENT_ID}&encoding=xml`, 4005, 'Encoding'],
  ])('for the query %s with %i', async (query, code, message) => {
    const { connect } = await webBridge();
    const closed = await connect(query).closed();
    expect(closed.code).toBe(code);
    expect(closed.message).toContain(message);
  });
  it('with the code of a core that refuses the app', async () => {
    const { connect } = await webBridge({
      open: () => {
        throw new CloseError(CloseCode.INVALID_CLIENT_ID, 'Invalid Client ID');
      },
    });
    expect(await connect().closed()).toEqual({ code: 4000, message: 'Invalid Client ID' });
  });
  it.each(['{', '', 'null', '[]', '"a"', '\ud800{'])('with 1003 after the text %j', async (text) => {
    const { app: start } = await webBridge();
    const app = await start();
    app.send(Opcode.FRAME, text);
    expect((await app.closed()).code).toBe(1003);
  });
  it('with 1007 after text that is not UTF-8 (RFC 6455, 8.1)', async () => {
    const { app: start } = await webBridge();
    const app = await start();
    app.write(Buffer.concat([Buffer.alloc(8), Buffer.from([0x22, 0xff, 0xfe, 0x22])]));
    expect((await app.closed()).code).toBe(1007);
  });
  it('by the core with code and message', async () => {
    const { app: start, core } = await webBridge();
    const app = await start();
    core.host.closeSessions({ clientId: CLIENT_ID }, CloseCode.TOKEN_REVOKED, 'Token revoked');
    expect(await app.closed()).toEqual({ code: 4003, message: 'Token revoked' });
  });
  it('with 1000 when the bridge stops at once', async () => {
    const { app: start, server } = await webBridge();
    const app = await start();
    const closed = server.close();
    expect((await app.closed()).code).toBe(1000);
    await closed;
  });
  it('without a close frame for code 1006, which must not be sent', async () => {
    const { app: start, connect } = await webBridge({ limits: { connections: 1 } });
    await start();
    expect(await connect().closed()).toEqual({ code: 1006, message: '' });
  });
  it('by the app, and the session ends with it', async () => {
    const gone = later<string>();
    const { app: start } = await webBridge({ close: () => gone.resolve('gone') });
    const app = await start();
    app.end();
    expect(await gone.promise).toBe('gone');
  });
});

describe('the connection slots of web pages', () => {
  const other = 'http://localhost:4000';
  it('are shared by origin: one origin has at most half of them, and another can still connect', async () => {
    const origins = [ORIGIN, other].map((origin) => ({ clientId: CLIENT_ID, origin }));
    const { app: start, connect } = await webBridge({ origins });
    const pages = [];
    for (let i = 0; i < 32; i++) pages.push(await start());
    expect((await connect().closed()).code).toBe(1006);
    const page = connect(QUERY, { origin: other });
    expect(await page.answer()).toMatchObject({ evt: 'READY' });
    for (const one of [pages[0], pages[31], page]) {
      expect(await one?.call('GET_GUILDS')).toMatchObject({ evt: null });
    }
  });
});

describe('a WebSocket with limits [T51]', () => {
  const limits = { frameBytes: 4 * KIB };

  function payload(bytes: number): string {
    const empty = JSON.stringify({ cmd: 'GET_GUILDS', args: { pad: '' }, nonce: 'x' });
    return empty.replace('""', `"${'p'.repeat(bytes - empty.length)}"`);
  }

  it('accepts a message of exactly the frame limit', async () => {
    const { app: start } = await webBridge({ limits });
    const app = await start();
    app.send(Opcode.FRAME, payload(4 * KIB));
    expect(await app.answer()).toMatchObject({ cmd: 'GET_GUILDS', evt: null, nonce: 'x' });
  });
  it('closes with 1009 at one byte above the frame limit', async () => {
    const { app: start } = await webBridge({ limits });
    const app = await start();
    app.send(Opcode.FRAME, payload(4 * KIB + 1));
    expect((await app.closed()).code).toBe(1009);
  });
  it('accepts 3 MiB by default, and no byte more', async () => {
    const { app: start } = await webBridge();
    const app = await start();
    app.send(Opcode.FRAME, payload(3072 * KIB));
    expect(await app.answer()).toMatchObject({ cmd: 'GET_GUILDS', evt: null });
    app.send(Opcode.FRAME, payload(3072 * KIB + 1));
    expect((await app.closed()).code).toBe(1009);
  });
  it('closes with 1003 for a binary message', async () => {
    const bridge = await webBridge();
    const socket = await rawWebSocket(bridge.port);
    socket.write(clientFrame(0x82, Buffer.from('{}')));
    expect(await lastCloseCode(socket)).toBe(1003);
  });
  it('closes with 1002 for a frame without a mask', async () => {
    const bridge = await webBridge();
    const socket = await rawWebSocket(bridge.port);
    socket.write(Buffer.from([0x81, 2, 0x7b, 0x7d]));
    expect(await lastCloseCode(socket)).toBe(1002);
  });
  it('closes with 1008 for a message in too many fragments', async () => {
    const bridge = await webBridge();
    const socket = await rawWebSocket(bridge.port);
    socket.write(clientFrame(0x01, Buffer.from('1')));
    const piece = clientFrame(0x00, Buffer.from('1'));
    socket.write(Buffer.concat(Array.from({ length: 4096 }, () => piece)));
    expect(await lastCloseCode(socket)).toBe(1008);
  });
  it('closes with 1003 when the rest of a message comes too late', async () => {
    const bridge = await webBridge({ limits: { partialFrameMs: 50 } });
    const socket = await rawWebSocket(bridge.port);
    socket.write(clientFrame(0x81, Buffer.from('{"cmd":"GET_GUILDS","nonce":"1"}')).subarray(0, 20));
    expect(await lastCloseCode(socket)).toBe(1003);
  });
  it('does not count pings as a partial message', async () => {
    const bridge = await webBridge({ limits: { partialBytes: 64 } });
    const app = await bridge.app();
    const socket = await rawWebSocket(bridge.port);
    for (let i = 0; i < 50; i++) {
      const pong = new Promise((resolve) => socket.once('data', resolve));
      socket.write(clientFrame(0x89, Buffer.from('still here')));
      await pong;
    }
    socket.write(clientFrame(0x81, Buffer.from('{"cmd":"GET_GUILDS","nonce":"1"}')));
    expect(String((await once(socket, 'data'))[0])).toContain('"nonce":"1"');
    expect(await app.call('GET_GUILDS')).toMatchObject({ evt: null });
  });
  it('serves all requests, within the limit of requests in flight', async () => {
    const gate = later();
    let running = 0;
    let peak = 0;
    const { app: start } = await webBridge({
      limits: { requestsInFlight: 4 },
      handlers: {
        GET_GUILDS: async () => {
          running += 1;
          peak = Math.max(peak, running);
          await gate.promise;
          running -= 1;
          return { guilds: [] };
        },
      },
    });
    const app = await start();
    const nonces = Array.from({ length: 100 }, () => app.request('GET_GUILDS'));
    while (running < 4) await settled();
    gate.resolve();
    const answered = new Set<string | null>();
    for (const _ of nonces) answered.add((await app.answer()).nonce);
    expect(answered).toEqual(new Set(nonces));
    expect(peak).toBe(4);
  });
  it('drops a peer that does not read', async () => {
    const dropped = later<string>();
    const text = 'x'.repeat(1000);
    const bridge = await webBridge({
      limits: { unreadBytes: 256 * KIB, unreadMs: 300 },
      handlers: {
        GET_GUILDS: () => ({
          guilds: Array.from({ length: 50 }, (_, i) => ({ id: String(i + 1), name: text, icon_url: null })),
        }),
      },
      close: () => dropped.resolve('dropped'),
    });
    const socket = await rawWebSocket(bridge.port);
    socket.pause();
    const request = clientFrame(0x81, Buffer.from('{"cmd":"GET_GUILDS","nonce":"1"}'));
    let asking = true;
    const stop = dropped.promise.then((how) => {
      asking = false;
      return how;
    });
    while (asking) {
      socket.write(request);
      await settled();
    }
    expect(await stop).toBe('dropped');
  });
});

describe('a close reason', () => {
  it.each([
    ['short', 'short'],
    ['x'.repeat(200), 'x'.repeat(123)],
    // 41 times three bytes; the next character would not fit whole.
    ['€'.repeat(50), '€'.repeat(41)],
    [`${'x'.repeat(121)}😀`, 'x'.repeat(121)],
  ])('of %j fits a close frame', (message, kept) => {
    expect(new TextDecoder('utf-8', { fatal: true }).decode(closeReason(message))).toBe(kept);
  });
});

/** A hand-made WebSocket whose upgrade and READY have been read. */
async function rawWebSocket(port: number) {
  const socket = await loopback(port);
  socket.write(head(`GET ${QUERY}`, { ...upgradeHeaders(port), origin: ORIGIN }));
  await new Promise<void>((resolve) => {
    let seen = '';
    socket.on('data', function waitForReady(chunk) {
      seen += chunk.toString('latin1');
      if (!seen.includes('"READY"')) return;
      socket.off('data', waitForReady);
      resolve();
    });
  });
  return socket;
}

/** A client's frame; all zeros is a mask too. */
function clientFrame(first: number, payload: Buffer): Buffer {
  return Buffer.concat([Buffer.from([first, 0x80 | payload.byteLength, 0, 0, 0, 0]), payload]);
}

/** The code in the close frame that ends what the server sends. */
async function lastCloseCode(socket: Awaited<ReturnType<typeof loopback>>): Promise<number | undefined> {
  let seen = Buffer.alloc(0);
  socket.on('data', (chunk) => {
    seen = Buffer.concat([seen, chunk]);
  });
  await new Promise((resolve) => socket.once('close', resolve));
  return seen[0] === 0x88 ? seen.readUInt16BE(2) : undefined;
}
