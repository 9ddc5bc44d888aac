import { describe, expect, it, vi } from 'vitest';
import type { ClientCore, CoreHost, CoreSession } from '../../../src/core/core.ts';
import { ErrorCode } from '../../../src/protocol/error-code.ts';
import { CloseCode, Opcode } from '../../../src/wire/codes.ts';
import { type AppPeer, asAnswer, CLIENT_ID } from '../../helpers/app-peer.ts';
import { fakeCore, fakeReady } from '../../helpers/fake-core.ts';
import { concatBytes, frameBytes, headerBytes } from '../../helpers/frame-bytes.ts';
import type { Script, ScriptedRequest, ScriptedSession } from '../../helpers/scripted-client.ts';
import { upstreamBridge } from '../../helpers/upstream-bridge.ts';

/** Asks again until the upstream is back; every other answer than "away" is taken. */
async function untilBack(app: AppPeer, cmd = 'GET_GUILDS', args: unknown = {}) {
  return vi.waitUntil(
    async () => {
      app.request(cmd, args);
      // Events of the restored subscriptions come in between.
      for (let answer = await app.answer(); ; answer = await app.answer()) {
        if (answer.nonce === null) continue;
        return answer.data?.code === ErrorCode.SERVICE_UNAVAILABLE ? undefined : answer;
      }
    },
    { timeout: 10_000, interval: 20 },
  );
}

describe('a session with the upstream', () => {
  it('sends the client id of the app in the handshake, and forwards the READY of the upstream', async () => {
    const ready = { ...fakeReady, user: { ...fakeReady.user, username: 'upstream' }, extra: { kept: true } };
    const { client, connect } = await upstreamBridge({ script: { handshake: (s) => s.ready(ready) } });
    const app = connect();
    expect((await app.handshake('300000000000000002')).data).toEqual(ready);
    expect((await client.session(0)).frames).toEqual([
      { opcode: Opcode.HANDSHAKE, body: { v: 1, client_id: '300000000000000002' } },
    ]);
  });

  it('forwards any command with a nonce of its own, and each answer to the app that sent the request', async () => {
    const { client, app } = await upstreamBridge({ script: { request: (s, r) => s.answer(r, r.args) } });
    const [one, two] = [await app(), await app()];
    // Two requests in flight with one nonce (protocol 9, 16).
    one.request('NO_SUCH', { n: 1 }, { nonce: 'deadbeef' });
    one.request('GET_GUILDS', { n: 2 }, { nonce: 'deadbeef' });
    two.request('GET_CHANNEL', { n: 3 }, { nonce: 'deadbeef' });
    expect([await one.answer(), await one.answer(), await two.answer()]).toEqual([
      { cmd: 'NO_SUCH', data: { n: 1 }, evt: null, nonce: 'deadbeef' },
      { cmd: 'GET_GUILDS', data: { n: 2 }, evt: null, nonce: 'deadbeef' },
      { cmd: 'GET_CHANNEL', data: { n: 3 }, evt: null, nonce: 'deadbeef' },
    ]);
    const nonces = (await client.session(0, 3)).requests.map(({ nonce }) => nonce);
    expect(new Set(nonces).size).toBe(2);
    expect(client.sessions).toHaveLength(2);
  });

  it('sends the parsed payload, never the bytes of the app', async () => {
    const { client, app } = await upstreamBridge();
    const peer = await app();
    peer.send(Opcode.FRAME, '{ "nonce":"1",\n"cmd":"GET_GUILDS", "args":{"a":1}, "more":"x" }');
    await peer.answer();
    const session = await client.session(0, 2);
    expect(session.frames[1]?.body).toEqual({ cmd: 'GET_GUILDS', args: { a: 1 }, nonce: expect.any(String) });
    peer.send(Opcode.FRAME, '{"cmd":"GET_GUILDS"}');
    expect(await peer.answer()).toMatchObject({ evt: 'ERROR', data: { code: ErrorCode.INVALID_PAYLOAD } });
    expect(session.frames).toHaveLength(2);
  });

  it.each<[string, object | null, { code: number; message: string }]>([
    [
      'a code and a text',
      { code: 4006, message: 'Not authenticated' },
      { code: 4006, message: 'Not authenticated' },
    ],
    ['a code of its own', { code: 4999, message: 'new' }, { code: 4999, message: 'new' }],
    ['no text', { code: 1000 }, { code: 1000, message: 'The chat client gave no reason' }],
    ['no data', null, { code: 1000, message: 'The chat client gave no reason' }],
  ])('forwards an ERROR with %s', async (_name, data, expected) => {
    const { app } = await upstreamBridge({
      script: { request: (s, { cmd, nonce }) => s.payload({ cmd, data, evt: 'ERROR', nonce }) },
    });
    expect(await (await app()).call('GET_GUILDS')).toMatchObject({ evt: 'ERROR', data: expected });
  });

  it('forwards an event of the upstream after the answer that arrived before it', async () => {
    const { app } = await upstreamBridge({
      script: {
        request(session, request) {
          session.answer(request, { evt: request.evt });
          session.event('VOICE_SETTINGS_UPDATE', { mute: true });
          // The documents leave the nonce of events out.
          session.payload({ cmd: 'DISPATCH', data: { any: 1 }, evt: 'NEW_EVENT' });
        },
      },
    });
    const peer = await app();
    peer.request('SUBSCRIBE', {}, { evt: 'VOICE_SETTINGS_UPDATE' });
    expect([await peer.answer(), await peer.answer(), await peer.answer()]).toMatchObject([
      { cmd: 'SUBSCRIBE', data: { evt: 'VOICE_SETTINGS_UPDATE' } },
      { cmd: 'DISPATCH', evt: 'VOICE_SETTINGS_UPDATE', data: { mute: true }, nonce: null },
      { cmd: 'DISPATCH', evt: 'NEW_EVENT', data: { any: 1 }, nonce: null },
    ]);
  });

  it('sends CLOSE when the app disconnects', async () => {
    const { client, app } = await upstreamBridge();
    const peer = await app();
    const session = await client.session(0);
    peer.end();
    await vi.waitUntil(() => session.frames.length === 2);
    expect(session.frames[1]).toMatchObject({ opcode: Opcode.CLOSE, body: { code: 1000 } });
  });
});

describe('a session with the quirks of the real client', () => {
  const quirks: [string, Script][] = [
    [
      'frames in many pieces',
      {
        request(session, { cmd, nonce }) {
          const bytes = frameBytes(Opcode.FRAME, JSON.stringify({ cmd, data: 'é€😀', evt: null, nonce }));
          for (const byte of bytes) session.socket.write(Uint8Array.of(byte));
        },
      },
    ],
    [
      'several frames in one write',
      {
        request(session, { cmd, nonce }) {
          const answer = frameBytes(Opcode.FRAME, JSON.stringify({ cmd, data: 'é€😀', evt: null, nonce }));
          session.socket.write(
            concatBytes(frameBytes(Opcode.PONG, '1'), answer, frameBytes(Opcode.PING, '{}')),
          );
        },
      },
    ],
    [
      'answers with keys missing',
      { request: (session, { cmd, nonce }) => session.payload({ cmd, data: 'é€😀', nonce }) },
    ],
    [
      'a late READY, with events before it',
      {
        handshake(session) {
          session.event('CURRENT_USER_UPDATE', {});
          setTimeout(() => session.ready(), 200);
        },
        request: (session, request) => session.answer(request, 'é€😀'),
      },
    ],
    [
      'answers to what nobody asked',
      {
        request(session, request) {
          session.payload({ cmd: 'GET_GUILDS', data: 'wrong', evt: null, nonce: 'not asked' });
          session.payload({ cmd: 'GET_GUILDS', data: 'wrong', evt: null, nonce: 7 });
          session.send(Opcode.FRAME, [1]);
          session.answer(request, 'é€😀');
          session.answer(request, 'wrong');
        },
      },
    ],
  ];
  it.each(quirks)('tolerates %s', async (_name, script) => {
    const { app } = await upstreamBridge({ script });
    const peer = await app();
    for (let i = 0; i < 3; i++) {
      expect(await peer.call('GET_GUILDS')).toMatchObject({ data: 'é€😀', evt: null });
    }
    expect(await peer.rest()).toEqual([]);
  });

  it('tolerates answers out of order', async () => {
    const waiting: (() => void)[] = [];
    const { app } = await upstreamBridge({
      script: {
        request(session, request) {
          waiting.unshift(() => session.answer(request, request.args));
          if (waiting.length === 3) for (const answer of waiting) answer();
        },
      },
    });
    const peer = await app();
    for (const n of [1, 2, 3]) peer.request('GET_GUILD', { n }, { nonce: `n${n}` });
    const answers = [await peer.answer(), await peer.answer(), await peer.answer()];
    expect(answers.map(({ nonce, data }) => [nonce, data.n])).toEqual([
      ['n3', 3],
      ['n2', 2],
      ['n1', 1],
    ]);
  });

  it.each<[string, (session: ScriptedSession) => void, { code: number; message: string }]>([
    [
      'an unknown application',
      (session) => session.close(4000, 'Invalid Client ID'),
      { code: 4000, message: 'Invalid Client ID' },
    ],
    [
      'nobody logged in',
      (session) => session.close(1000, 'User logged out'),
      { code: 1000, message: 'User logged out' },
    ],
    [
      'a code that nobody knows',
      (session) => session.close(4999, 'new'),
      { code: CloseCode.ABNORMAL, message: 'new' },
    ],
    [
      'silence',
      (session) => session.socket.destroy(),
      { code: CloseCode.ABNORMAL, message: 'No chat client is running; try again later' },
    ],
    [
      'garbage',
      (session) => session.socket.end(headerBytes(99, 4)),
      { code: CloseCode.UNSUPPORTED, message: 'Unknown opcode 99: expected 0 to 4' },
    ],
  ])('closes when its handshake meets %s', async (_name, handshake, expected) => {
    const { connect } = await upstreamBridge({ script: { handshake }, patienceMs: 0 });
    const app = connect();
    app.send(Opcode.HANDSHAKE, { v: 1, client_id: CLIENT_ID });
    expect(await app.closed()).toEqual(expected);
  });

  it('closes when its token is revoked', async () => {
    const { client, app } = await upstreamBridge();
    const peer = await app();
    (await client.session(0)).close(4003, 'Token revoked');
    expect(await peer.closed()).toEqual({ code: 4003, message: 'Token revoked' });
  });
});

describe('an upstream that restarts', () => {
  it('receives the handshake, authentication, subscriptions and presence again, in this order', async () => {
    const { client, app } = await upstreamBridge({
      script: {
        request: (s, r) =>
          s.answer(r, r.cmd === 'AUTHENTICATE' ? { scopes: ['rpc'], user: {} } : { evt: r.evt }),
      },
    });
    const peer = await app();
    await peer.call('AUTHENTICATE', { access_token: 'token-1' });
    await peer.call('SUBSCRIBE', { guild_id: '1' }, { evt: 'GUILD_STATUS' });
    await peer.call('SUBSCRIBE', {}, { evt: 'VOICE_SETTINGS_UPDATE' });
    await peer.call('UNSUBSCRIBE', { guild_id: '1' }, { evt: 'GUILD_STATUS' });
    await peer.call('SUBSCRIBE', { channel_id: '2' }, { evt: 'SPEAKING_START' });
    await peer.call('SET_ACTIVITY', { pid: 7, activity: { state: 'one' } });
    await peer.call('SET_ACTIVITY', { pid: 7, activity: { state: 'two' } });
    await peer.call('GET_GUILDS');
    await client.restart();
    expect(await untilBack(peer)).toMatchObject({ evt: null });
    const repeated = (await client.session(1, 6)).requests.slice(0, -1);
    expect(repeated.map(({ cmd, args, evt }) => ({ cmd, args, evt }))).toEqual([
      { cmd: 'AUTHENTICATE', args: { access_token: 'token-1' }, evt: undefined },
      { cmd: 'SUBSCRIBE', args: {}, evt: 'VOICE_SETTINGS_UPDATE' },
      { cmd: 'SUBSCRIBE', args: { channel_id: '2' }, evt: 'SPEAKING_START' },
      { cmd: 'SET_ACTIVITY', args: { pid: 7, activity: { state: 'two' } }, evt: undefined },
    ]);
  });

  it('does not receive state that was cleared in its absence, or that it refused', async () => {
    const refused = (r: ScriptedRequest): boolean => r.args.refuse === true;
    const { client, app } = await upstreamBridge({
      script: {
        request: (s, r) =>
          refused(r)
            ? s.payload({ cmd: r.cmd, data: { code: 4000, message: 'no' }, evt: 'ERROR', nonce: r.nonce })
            : s.answer(r),
      },
    });
    const peer = await app();
    await peer.call('SET_ACTIVITY', { pid: 7, activity: { state: 'one' } });
    await peer.call('SUBSCRIBE', {}, { evt: 'GUILD_CREATE' });
    await peer.call('SUBSCRIBE', { refuse: true }, { evt: 'CHANNEL_CREATE' });
    await client.stop();
    await vi.waitUntil(async () => (await peer.call('GET_GUILDS')).evt === 'ERROR');
    expect(await peer.call('SET_ACTIVITY', { pid: 7 })).toMatchObject({ evt: 'ERROR', data: { code: 1001 } });
    expect(await peer.call('UNSUBSCRIBE', {}, { evt: 'GUILD_CREATE' })).toMatchObject({ evt: 'ERROR' });
    await client.start();
    await untilBack(peer);
    expect((await client.session(1, 2)).requests.map(({ cmd }) => cmd)).toEqual(['GET_GUILDS']);
  });

  it('makes requests in flight fail, and later requests fail at once until it returns', async () => {
    const { client, app } = await upstreamBridge({ script: { request() {} } });
    const peer = await app();
    const nonces = ['A', 'B'].map((cmd) => peer.request(cmd));
    await client.session(0, 3);
    await client.stop();
    const answers = [await peer.answer(), await peer.answer()];
    expect(answers.map(({ nonce }) => nonce)).toEqual(nonces);
    for (const answer of [...answers, await peer.call('GET_GUILDS')]) {
      expect(answer).toMatchObject({
        evt: 'ERROR',
        data: { code: 1001, message: 'The chat client is away; try again once it has restarted' },
      });
    }
  });

  it('is awaited by an app that connects in its absence', async () => {
    const { client, connect } = await upstreamBridge({ absent: true });
    const app = connect();
    const ready = app.handshake();
    await client.start();
    expect(await ready).toMatchObject({ evt: 'READY' });
  });

  it('ends the session with 4003 when it refuses the repeated token', async () => {
    let token = 'good';
    const { client, app } = await upstreamBridge({
      script: {
        request: (s, r) =>
          r.args.access_token === token
            ? s.answer(r, { scopes: [] })
            : s.payload({ cmd: r.cmd, data: { code: 4009, message: 'x' }, evt: 'ERROR', nonce: r.nonce }),
      },
    });
    const peer = await app();
    await peer.call('AUTHENTICATE', { access_token: 'good' });
    token = 'another';
    await client.restart();
    expect(await peer.closed()).toEqual({ code: 4003, message: 'Token revoked' });
  });

  it('ends the session as a logout when another user is logged in', async () => {
    let id = '1';
    const { client, app } = await upstreamBridge({
      script: { handshake: (s) => s.ready({ ...fakeReady, user: { ...fakeReady.user, id } }) },
    });
    const peer = await app();
    id = '2';
    await client.restart();
    expect(await peer.closed()).toEqual({ code: 1000, message: 'User logout' });
  });

  it('is tried again when it disconnects or sends garbage during the restoration', async () => {
    let round = 0;
    const { client, app } = await upstreamBridge({
      script: {
        request(session, request) {
          if (request.cmd !== 'AUTHENTICATE' || ++round === 1 || round > 4) {
            session.answer(request, { scopes: [] });
          } else if (round === 2) {
            session.socket.destroy();
          } else if (round === 3) {
            session.socket.write(headerBytes(77, 0));
          } else {
            const { cmd, nonce } = request;
            session.payload({ cmd, data: { code: 1001, message: 'not yet' }, evt: 'ERROR', nonce });
          }
        },
      },
    });
    const peer = await app();
    await peer.call('AUTHENTICATE', { access_token: 'good' });
    await client.restart();
    expect(await untilBack(peer)).toMatchObject({ evt: null });
    expect(client.sessions).toHaveLength(5);
  });

  it('is awaited after a CLOSE for its shutdown, as after a crash', async () => {
    const { client, app } = await upstreamBridge();
    const peer = await app();
    (await client.session(0)).close(1000, 'shutting down');
    expect(await untilBack(peer)).toMatchObject({ evt: null });
  });

  it('receives no session of an app that disconnected in its absence', async () => {
    const { server, client, app } = await upstreamBridge();
    const peer = await app();
    await client.stop();
    peer.end();
    await vi.waitUntil(() => server.sessions().length === 0);
    await client.start();
    const next = await app();
    await next.call('GET_GUILDS');
    expect(client.sessions).toHaveLength(2);
  });
});

describe('the upstream core', () => {
  it('uses the fallback while there is no upstream, and closes its sessions with 1000 once there is one', async () => {
    const fallback = fakeCore({ handlers: { GET_GUILDS: () => ({ guilds: [] }) } });
    const { server, client, app } = await upstreamBridge({ absent: true, fallback });
    const early = await app();
    expect(await early.call('GET_GUILDS')).toMatchObject({ data: { guilds: [] } });
    expect(server.core.describe()).toEqual([['fallback', 'fake, 1 sessions']]);
    await client.start();
    expect(await early.closed()).toEqual({ code: 1000, message: 'The chat client is here; connect again' });
    const late = await app();
    await late.call('GET_GUILDS');
    expect(client.sessions[0]?.requests).toHaveLength(1);
    expect(fallback.left).toHaveLength(1);
    // What happens in the fallback is no concern of the upstream's apps.
    fallback.host.closeSessions({}, CloseCode.NORMAL, 'User logout');
    expect(await late.call('GET_GUILDS')).toMatchObject({ evt: null });
  });

  it('accepts a fallback session of a class with private fields, as the emulator returns it', async () => {
    const left: string[] = [];
    class Session implements CoreSession {
      readonly #name = 'private';
      get ready() {
        return { ...fakeReady, config: { ...fakeReady.config, environment: this.#name } };
      }
      get handlers() {
        return { GET_GUILDS: () => ({ guilds: [{ id: '1', name: this.#name, icon_url: null }] }) };
      }
      subscribe() {
        return [{ guild_id: '1', name: this.#name }];
      }
      close() {
        left.push(this.#name);
      }
    }
    let host: CoreHost | undefined;
    const fallback: ClientCore = {
      name: 'private',
      start(given) {
        host = given;
        return {};
      },
      open({ sessionId }) {
        host?.grant(sessionId, ['rpc']);
        return new Session();
      },
      stop() {},
    };
    const { app } = await upstreamBridge({ absent: true, fallback });
    const peer = await app();
    expect(await peer.call('GET_GUILDS')).toMatchObject({
      evt: null,
      data: { guilds: [{ name: 'private' }] },
    });
    peer.end();
    await vi.waitUntil(() => left.length === 1);
  });

  it('does not offer the fallback to an app that the upstream refuses', async () => {
    const fallback = fakeCore();
    const { connect } = await upstreamBridge({
      fallback,
      script: { handshake: (session) => session.close(4000, 'Invalid Client ID') },
    });
    const app = connect();
    app.send(Opcode.HANDSHAKE, { v: 1, client_id: CLIENT_ID });
    expect(await app.closed()).toMatchObject({ code: 4000 });
    expect(fallback.peers).toEqual([]);
  });
});

it('reports presence, path and sessions of the upstream to operators', async () => {
  const { server, client, app } = await upstreamBridge();
  const run = () => server.core.admin['upstream.status']?.run({}, { via: 'control' });
  // Before any app has come.
  expect(await run()).toMatchObject({ present: true, path: client.path, sessions: 0 });
  await app();
  expect(await run()).toEqual({
    present: true,
    why: null,
    path: client.path,
    clients: ['client'],
    sessions: 1,
    fallback: null,
  });
  await client.stop();
  expect(await run()).toMatchObject({ present: false, path: client.path });
});

it('drops an event that is larger than the official C++ library reads, and nothing else', async () => {
  const { app } = await upstreamBridge({
    script: {
      request(session, request) {
        session.event('ACTIVITY_JOIN', 'x'.repeat(70_000));
        session.answer(request, 'ok');
      },
    },
  });
  const peer = await app();
  peer.request('GET_GUILDS');
  expect((await peer.answer()).data).toBe('ok');
  expect((await peer.rest()).map(asAnswer)).toEqual([]);
});
