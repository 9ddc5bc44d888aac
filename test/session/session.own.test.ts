import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ErrorCode } from '../../src/protocol/error-code.ts';
import { RpcError } from '../../src/protocol/errors.ts';
import { CloseError } from '../../src/wire/close-error.ts';
import { CloseCode, Opcode } from '../../src/wire/codes.ts';
import { MAX_FRAME_BYTES } from '../../src/wire/frame.ts';
import { type AppPeer, asAnswer, CLIENT_ID, settled } from '../helpers/app-peer.ts';
import { fakeReady, later } from '../helpers/fake-core.ts';
import { concatBytes, frameBytes, headerBytes } from '../helpers/frame-bytes.ts';
import { type LogLine, memoryBridge } from '../helpers/memory-bridge.ts';

const handshake = { v: 1, client_id: CLIENT_ID };

describe('the handshake', () => {
  it('is answered with READY and nothing else', async () => {
    const { connect, core } = await memoryBridge();
    const app = connect();
    app.send(Opcode.HANDSHAKE, handshake);
    expect(await app.answer()).toEqual({ cmd: 'DISPATCH', data: fakeReady, evt: 'READY', nonce: null });
    expect(await app.rest()).toEqual([]);
    expect(core.peers.map((peer) => ({ ...peer }))).toEqual([
      { sessionId: expect.any(String), clientId: CLIENT_ID, transport: 'memory' },
    ]);
    const signal = core.peers[0]?.signal;
    expect(signal).toMatchObject({ aborted: false });
    app.end();
    await settled();
    expect(signal).toMatchObject({ aborted: true });
  });
  it.each([
    ['a FRAME first', Opcode.FRAME, { cmd: 'GET_GUILDS', nonce: '1' }, CloseCode.UNSUPPORTED],
    ['null', Opcode.HANDSHAKE, null, CloseCode.UNSUPPORTED],
    ['broken JSON', Opcode.HANDSHAKE, '{', CloseCode.UNSUPPORTED],
    ['nothing', Opcode.HANDSHAKE, '', CloseCode.UNSUPPORTED],
    ['another version', Opcode.HANDSHAKE, { v: 2, client_id: '1' }, CloseCode.INVALID_VERSION],
    ['no id', Opcode.HANDSHAKE, { v: 1 }, CloseCode.INVALID_CLIENT_ID],
    ['CLOSE', Opcode.CLOSE, {}, CloseCode.NORMAL],
    ['CLOSE with a body that is no JSON', Opcode.CLOSE, '', CloseCode.NORMAL],
    ['opcode 5', 5, {}, CloseCode.UNSUPPORTED],
  ])('that is %s ends the connection with its code', async (_name, opcode, body, code) => {
    const { connect, core, server } = await memoryBridge();
    const app = connect();
    app.send(opcode, body);
    expect(await app.closed()).toMatchObject({ code, message: expect.any(String) });
    expect(core.peers).toEqual([]);
    await settled();
    expect(server.sessions()).toEqual([]);
  });
  it('that declares 2 GiB ends the connection by its header alone', async () => {
    const app = (await memoryBridge()).connect();
    app.write(headerBytes(Opcode.HANDSHAKE, 0x8000_0000));
    expect(await app.closed()).toMatchObject({ code: CloseCode.UNSUPPORTED });
  });
  it('sent twice ends the connection, before READY and after it (§9 case 25)', async () => {
    const opening = later();
    const { connect, app } = await memoryBridge({
      open: (peer) => (peer.clientId === '2' ? opening.promise : undefined),
    });
    const early = connect();
    early.send(Opcode.HANDSHAKE, { v: 1, client_id: '2' });
    early.send(Opcode.HANDSHAKE, handshake);
    expect(await early.closed()).toMatchObject({ code: CloseCode.UNSUPPORTED });
    const late = await app();
    late.send(Opcode.HANDSHAKE, handshake);
    expect(await late.closed()).toMatchObject({ code: CloseCode.UNSUPPORTED });
  });
  it('may arrive one byte at a time', async () => {
    const app = (await memoryBridge()).connect();
    const bytes = concatBytes(
      frameBytes(Opcode.HANDSHAKE, JSON.stringify(handshake)),
      frameBytes(Opcode.FRAME, '{"cmd":"GET_GUILDS","nonce":"1"}'),
    );
    for (const byte of bytes) app.write(Uint8Array.of(byte));
    expect(await app.answer()).toMatchObject({ evt: 'READY' });
    expect(await app.answer()).toMatchObject({ cmd: 'GET_GUILDS', nonce: '1' });
  });
});

describe('the core', () => {
  it('that refuses the app closes the connection with its code and text', async () => {
    const { connect, core } = await memoryBridge({
      open: () => {
        throw new CloseError(CloseCode.INVALID_CLIENT_ID, 'Invalid Client ID', { detail: 'private' });
      },
    });
    const app = connect();
    app.send(Opcode.HANDSHAKE, handshake);
    expect(await app.closed()).toEqual({ code: 4000, message: 'Invalid Client ID' });
    expect(core.left).toEqual([]);
  });
  it('that fails closes the connection with 1006, and only the log has the reason', async () => {
    const { connect, log } = await memoryBridge({ open: () => Promise.reject(new Error('no route')) });
    const app = connect();
    app.send(Opcode.HANDSHAKE, handshake);
    expect(await app.closed()).toEqual({ code: CloseCode.ABNORMAL, message: 'The client cannot be reached' });
    expect(log).toContainEqual(expect.objectContaining({ level: 'warn', reason: 'Error: no route' }));
  });
  it.each([
    ['another version', { ...fakeReady, v: 2 }],
    ['a user without a name', { ...fakeReady, user: { id: '1' } }],
    ['no configuration', { v: 1 }],
  ])('that returns %s as READY loses the app with 1006, and its session is closed', async (_name, ready) => {
    const { connect, core, server } = await memoryBridge({ ready: ready as never });
    const app = connect();
    app.send(Opcode.HANDSHAKE, handshake);
    expect(await app.closed()).toEqual({
      code: CloseCode.ABNORMAL,
      message: 'The client gave no valid READY',
    });
    await settled();
    expect(core.left).toEqual(core.peers.map(({ sessionId }) => sessionId));
    expect(server.sessions()).toEqual([]);
  });
  it('that does not open in time loses the app with 1006', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const opening = later();
    const { connect, core } = await memoryBridge({ open: () => opening.promise });
    const app = connect();
    app.send(Opcode.HANDSHAKE, handshake);
    // The first connection of a process takes longer than a turn.
    while (core.peers.length === 0) await new Promise(setImmediate);
    vi.advanceTimersByTime(9_999);
    expect(await app.rest()).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(await app.closed()).toMatchObject({ code: CloseCode.ABNORMAL });
    vi.useRealTimers();
    opening.resolve();
  });
  it('that opens after the app has left gets its session closed', async () => {
    const opening = later();
    const { connect, core, server } = await memoryBridge({ open: () => opening.promise });
    const app = connect();
    app.send(Opcode.HANDSHAKE, handshake);
    await settled();
    const signal = core.peers[0]?.signal;
    expect(signal?.aborted).toBe(false);
    app.end();
    await settled();
    expect(signal?.aborted).toBe(true);
    expect(server.sessions()).toEqual([]);
    opening.resolve();
    await settled();
    expect(core.left).toHaveLength(1);
    expect(await app.rest()).toEqual([]);
  });
  it('is notified once when a peer leaves', async () => {
    const { app, core, server } = await memoryBridge();
    const peer = await app();
    peer.end();
    await settled();
    expect(core.left).toEqual([core.peers[0]?.sessionId]);
    expect(core.peers[0]?.signal.aborted).toBe(true);
    expect(server.sessions()).toEqual([]);
  });
  it.each([
    [
      'throws',
      () => {
        throw new Error('close failed');
      },
    ],
    ['rejects', () => Promise.reject(new Error('close failed')) as unknown as undefined],
  ])('whose close() %s affects neither the server nor other sessions', async (_name, close) => {
    const { app, server, log } = await memoryBridge({ close });
    const [leaver, stayer] = [await app(), await app()];
    leaver.end();
    await settled();
    expect(server.sessions()).toHaveLength(1);
    expect(await stayer.call('GET_GUILDS')).toMatchObject({ data: { guilds: [] } });
    expect(log).toContainEqual(expect.objectContaining({ level: 'warn', reason: 'Error: close failed' }));
  });
});

describe('requests before READY', () => {
  async function pipelined(count: number) {
    const opening = later();
    const bridge = await memoryBridge({ open: () => opening.promise });
    const app = bridge.connect();
    app.send(Opcode.HANDSHAKE, handshake);
    const nonces = Array.from({ length: count }, () => app.request('GET_GUILDS'));
    return { ...bridge, app, nonces, opening };
  }

  it('are held, and served in order after READY', async () => {
    const { app, nonces, opening } = await pipelined(5);
    expect(await app.rest()).toEqual([]);
    opening.resolve();
    const answers = (await app.rest()).map(asAnswer);
    expect(answers.map(({ evt }) => evt)).toEqual(['READY', null, null, null, null, null]);
    expect(answers.slice(1).map(({ nonce }) => nonce)).toEqual(nonces);
  });
  it('beyond the hold limit wait in the connection, and are served after READY', async () => {
    const { app, nonces, opening } = await pipelined(65);
    // The session no longer reads: a PING behind them must wait for READY as well.
    app.send(Opcode.PING, 1);
    expect(await app.rest()).toEqual([]);
    opening.resolve();
    const frames = await app.rest();
    expect(frames.filter(({ opcode }) => opcode === Opcode.PONG)).toHaveLength(1);
    const answers = frames.filter(({ opcode }) => opcode === Opcode.FRAME).map(asAnswer);
    expect(answers.map(({ nonce }) => nonce)).toEqual([null, ...nonces]);
  });
  it('below the hold limit do not delay a PING', async () => {
    const { app } = await pipelined(63);
    app.send(Opcode.PING, 1);
    expect(await app.rest()).toEqual([{ opcode: Opcode.PONG, body: 1 }]);
  });
  it('are not served when the core refuses the app', async () => {
    const { app, opening } = await pipelined(65);
    opening.reject(new CloseError(CloseCode.INVALID_CLIENT_ID, 'Invalid Client ID'));
    expect(await app.closed()).toEqual({ code: 4000, message: 'Invalid Client ID' });
  });
  it('have the same size limit as after READY', async () => {
    const { app } = await pipelined(0);
    app.write(headerBytes(Opcode.FRAME, MAX_FRAME_BYTES + 1));
    expect(await app.closed()).toMatchObject({ code: CloseCode.UNSUPPORTED });
  });
});

it('a ready session accepts frames up to the frame limit', async () => {
  const { app } = await memoryBridge();
  const peer = await app();
  const text = 'x'.repeat(MAX_FRAME_BYTES - 100);
  expect(await peer.call('GET_GUILDS', { text })).toMatchObject({ data: { guilds: [] } });
  peer.write(headerBytes(Opcode.FRAME, MAX_FRAME_BYTES + 1));
  expect(await peer.closed()).toMatchObject({ code: CloseCode.UNSUPPORTED });
});

describe('PING', () => {
  it.each([1, null, 'a-uuid', {}, [], { nested: ['é漢😀'] }])('returns %j unchanged', async (body) => {
    const { connect, app } = await memoryBridge();
    for (const peer of [connect(), await app()]) {
      peer.send(Opcode.PING, JSON.stringify(body));
      expect(await peer.rest()).toEqual([{ opcode: Opcode.PONG, body }]);
    }
  });
  it('before a handshake leaves no session once the peer has disconnected', async () => {
    const { connect, server, core } = await memoryBridge();
    const probe = connect();
    probe.send(Opcode.PING, 1);
    probe.end();
    await settled();
    expect(server.sessions()).toEqual([]);
    expect(core.peers).toEqual([]);
  });
  it('may precede a handshake', async () => {
    const { connect } = await memoryBridge();
    const peer = connect();
    peer.send(Opcode.PING, 7);
    expect(await peer.next()).toEqual({ opcode: Opcode.PONG, body: 7 });
    await peer.handshake();
  });
  it('of any size is answered', async () => {
    const { app } = await memoryBridge();
    const peer = await app();
    const body = 'x'.repeat(400_000);
    peer.send(Opcode.PING, JSON.stringify(body));
    expect(await peer.next()).toEqual({ opcode: Opcode.PONG, body });
  });
  it('is never sent by the server, and a PONG is never answered', async () => {
    const { app } = await memoryBridge();
    const peer = await app();
    peer.send(Opcode.PONG, 1);
    expect(await peer.rest()).toEqual([]);
  });
});

describe('CLOSE', () => {
  it.each([{}, { code: 1000, message: 'bye' }, handshake, { nonce: '1' }, null, [], ''])(
    'with the body %j is answered 1000 and ends the session (§9 cases 9 and 10)',
    async (body) => {
      const { app, core } = await memoryBridge();
      const peer = await app();
      peer.send(Opcode.CLOSE, JSON.stringify(body));
      expect(await peer.closed()).toMatchObject({ code: CloseCode.NORMAL });
      await settled();
      expect(core.left).toHaveLength(1);
    },
  );
  it('is the last frame, whatever requests precede or follow it', async () => {
    const slow = later<{ guilds: [] }>();
    const { app } = await memoryBridge({ handlers: { GET_GUILDS: () => slow.promise } });
    const peer = await app();
    peer.request('GET_GUILDS');
    peer.send(Opcode.CLOSE, {});
    peer.send(Opcode.PING, 1);
    peer.request('GET_GUILDS');
    expect(await peer.closed()).toMatchObject({ code: CloseCode.NORMAL });
    slow.resolve({ guilds: [] });
    expect(await peer.rest()).toEqual([]);
  });
});

describe('a peer that breaks the protocol', () => {
  const attacks: [string, (peer: AppPeer) => void][] = [
    ['broken JSON', (peer) => peer.send(Opcode.FRAME, '{"cmd":')],
    ['an empty body', (peer) => peer.send(Opcode.FRAME, '')],
    ['null', (peer) => peer.send(Opcode.FRAME, 'null')],
    ['an array', (peer) => peer.send(Opcode.FRAME, '[]')],
    ['a number', (peer) => peer.send(Opcode.FRAME, '1')],
    ['a string', (peer) => peer.send(Opcode.FRAME, '""')],
    ['a depth bomb', (peer) => peer.send(Opcode.FRAME, '['.repeat(30_000))],
    ['opcode -1', (peer) => peer.send(-1, '{}')],
    ['4 GiB - 1', (peer) => peer.write(headerBytes(Opcode.FRAME, 0xffff_ffff))],
  ];
  it.each(attacks)('with %s is closed with 1003; other peers are unaffected', async (_name, attack) => {
    const { app, log } = await memoryBridge();
    const [bad, good] = [await app(), await app()];
    attack(bad);
    expect(await bad.closed()).toMatchObject({ code: CloseCode.UNSUPPORTED });
    expect(await good.call('GET_GUILDS')).toMatchObject({ evt: null });
    expect(log.filter(({ level }) => level !== 'debug')).toEqual([]);
  });
});

it('a frame of invalid UTF-8 that is no request is closed with 1003, with a warning in the log', async () => {
  const { app, log } = await memoryBridge();
  const peer = await app();
  peer.write(frameBytes(Opcode.FRAME, Uint8Array.of(0x22, 0xff, 0x22)));
  expect(await peer.closed()).toMatchObject({ code: CloseCode.UNSUPPORTED });
  expect(log.filter(({ level }) => level !== 'debug')).toMatchObject([{ level: 'warn' }]);
});

describe('the log at level debug', () => {
  const debug = (log: readonly LogLine[]) =>
    log.filter(({ message }) => ['request refused', 'session is sent away'].includes(message));

  it('has each refused request with command, event, code and reason', async () => {
    const { app, log } = await memoryBridge({ scopes: [] });
    const peer = await app();
    await peer.call('GET_GUILDS');
    await peer.call('SUBSCRIBE', {}, { evt: 'VOICE_SETTINGS_UPDATE' });
    await peer.call('NO_SUCH_COMMAND_AS_THIS_ONE');
    await peer.call('GET_GUILD', { guild_id: 5 });
    const line = {
      level: 'debug',
      message: 'request refused',
      session: expect.any(String),
      clientId: CLIENT_ID,
    };
    expect(debug(log)).toEqual([
      {
        ...line,
        cmd: 'GET_GUILDS',
        code: 4006,
        reason: expect.stringMatching(/^GET_GUILDS needs the scope rpc/),
      },
      {
        ...line,
        cmd: 'SUBSCRIBE',
        evt: 'VOICE_SETTINGS_UPDATE',
        code: 4006,
        reason: expect.stringContaining('needs'),
      },
      {
        ...line,
        cmd: 'NO_SUCH_COMMAND_AS_THIS_ONE',
        code: 4002,
        reason: expect.stringContaining('Unknown command'),
      },
      { ...line, cmd: 'GET_GUILD', code: 4006, reason: expect.any(String) },
    ]);
  });

  it('has each session that is closed with code and reason', async () => {
    const { connect, app, log } = await memoryBridge();
    const early = connect();
    early.send(Opcode.FRAME, '{}');
    await early.closed();
    const late = await app();
    late.send(Opcode.FRAME, '{"cmd":');
    await late.closed();
    expect(debug(log)).toMatchObject([
      { level: 'debug', message: 'session is sent away', code: 1003, reason: 'FRAME before HANDSHAKE' },
      {
        level: 'debug',
        message: 'session is sent away',
        clientId: CLIENT_ID,
        code: 1003,
        reason: expect.any(String),
      },
    ]);
  });

  it('has no possible token, neither from the peer nor from a core that repeats it', async () => {
    const token = 'Zm9vYmFyYmF6cXV4Zm9vYmFy';
    const handlers = {
      AUTHENTICATE: () => {
        throw new RpcError(ErrorCode.INVALID_TOKEN, `Invalid token: ${token}`);
      },
    };
    const { app, log } = await memoryBridge({ handlers });
    const peer = await app();
    await peer.call('AUTHENTICATE', { access_token: token });
    await peer.call(token);
    await peer.call('SUBSCRIBE', {}, { evt: token });
    peer.request('GET_GUILDS', {}, { nonce: token });
    await peer.rest();
    expect(debug(log)).toHaveLength(3);
    expect(JSON.stringify(log)).not.toContain(token);
  });

  it('has each connection that is refused at capacity', async () => {
    const { app, connect, log } = await memoryBridge({ limits: { connections: 1 } });
    await app();
    await connect().closed();
    expect(log).toContainEqual({
      level: 'debug',
      message: 'connection refused',
      pid: expect.any(Number),
      code: 1006,
      reason: 'at capacity',
    });
  });
});

describe('the handshake deadline', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(() => void vi.useRealTimers());

  it('runs from the connect, whatever bytes and PINGs arrive', async () => {
    const { connect } = await memoryBridge({ limits: { handshakeMs: 500 } });
    const peer = connect();
    peer.write(headerBytes(Opcode.HANDSHAKE, 100));
    vi.advanceTimersByTime(300);
    peer.write(Uint8Array.of(0x7b));
    vi.advanceTimersByTime(199);
    expect(await peer.rest()).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(await peer.closed()).toEqual({
      code: CloseCode.ABNORMAL,
      message: 'No handshake within the time limit',
    });
  });
  it('accepts a handshake whose bytes were waiting when the time ran out', async () => {
    const { connect } = await memoryBridge({ limits: { handshakeMs: 500 } });
    const peer = connect();
    vi.advanceTimersByTime(10_000);
    await peer.handshake();
    expect(await peer.rest()).toEqual([]);
  });
  it('does not apply to a core that is slow to open', async () => {
    const opening = later();
    const { connect } = await memoryBridge({ limits: { handshakeMs: 500 }, open: () => opening.promise });
    const peer = connect();
    peer.send(Opcode.HANDSHAKE, handshake);
    vi.advanceTimersByTime(9_000);
    expect(await peer.rest()).toEqual([]);
    opening.resolve();
    expect(await peer.answer()).toMatchObject({ evt: 'READY' });
  });
});

it('the status lists a session in each of its states', async () => {
  const { connect, server, core } = await memoryBridge();
  const app = connect();
  expect(server.sessions()).toEqual([
    {
      id: expect.any(String),
      clientId: null,
      transport: 'memory',
      state: 'handshaking',
      pid: null,
      scopes: ['rpc.local'],
      subscriptions: 0,
      requestsInFlight: 0,
      endpoint: null,
      sandbox: null,
    },
  ]);
  await app.handshake();
  await app.subscribe('VOICE_CHANNEL_SELECT');
  expect(server.sessions()).toMatchObject([
    {
      id: core.peers[0]?.sessionId,
      clientId: CLIENT_ID,
      state: 'ready',
      scopes: ['rpc.local', 'rpc'],
      subscriptions: 1,
    },
  ]);
  expect(server.counters()).toMatchObject({ accepted: 1, refused: 0, ready: 1, sessions: 1 });
});
