import { expect, it, onTestFinished, vi } from 'vitest';
import {
  type Client,
  ClientError,
  type ClientOptions,
  connect,
  createClient,
  RpcError,
} from '../../src/client/index.ts';
import { Opcode } from '../../src/wire/codes.ts';
import { clientId, connected } from '../helpers/connected-client.ts';
import { eventually } from '../helpers/eventually.ts';
import { type Script, scriptedReady, scriptedServer, wellBehaved } from '../helpers/scripted-server.ts';

/** Answers nothing but the handshake. */
const silent: Script = (frame, peer) => {
  if (frame.opcode === Opcode.HANDSHAKE) peer.ready();
};

it('the client sends its handshake in one frame and exposes the data of READY', async () => {
  const { server, client } = await connected();
  expect(server.peer.received[0]).toEqual({ opcode: Opcode.HANDSHAKE, body: { v: 1, client_id: clientId } });
  expect(client.state).toBe('ready');
  expect(client.user).toEqual(scriptedReady.user);
  expect(client.config).toEqual(scriptedReady.config);
});

it('the client assigns each request its own nonce and matches responses in any order', async () => {
  const held: { cmd: string; nonce: string }[] = [];
  const { client } = await connected((frame, peer) => {
    if (frame.opcode === Opcode.HANDSHAKE) return peer.ready();
    held.push(frame.body);
    if (held.length < 3) return;
    for (const { cmd, nonce } of held.reverse()) peer.payload({ cmd, nonce, data: { nonce } });
  });
  const answers = await Promise.all(['A', 'B', 'C'].map((cmd) => client.requestRaw(cmd)));
  expect(answers).toEqual([...held].reverse().map(({ nonce }) => ({ nonce })));
  expect(new Set(held.map(({ nonce }) => nonce)).size).toBe(3);
});

it('the client converts ERROR to an RpcError with the code, the command and a printable message', async () => {
  const { client } = await connected(({ opcode, body }, peer) => {
    if (opcode === Opcode.HANDSHAKE) return peer.ready();
    const data = { code: 4003, message: 'guild_id:\n\u001b[31munknown' };
    peer.payload({ cmd: body.cmd, nonce: body.nonce, evt: 'ERROR', data });
  });
  const error = await client.request('GET_GUILD', { guild_id: '1' }).catch((reason) => reason);
  expect(error).toBeInstanceOf(RpcError);
  expect(error).toMatchObject({ code: 4003, cmd: 'GET_GUILD', message: 'guild_id:??[31munknown' });
});

it('the client truncates a server message to 300 characters', async () => {
  const { client } = await connected(({ opcode, body }, peer) => {
    if (opcode === Opcode.HANDSHAKE) return peer.ready();
    const data = { code: 4000, message: 'x'.repeat(100_000) };
    peer.payload({ cmd: body.cmd, nonce: body.nonce, evt: 'ERROR', data });
  });
  await expect(client.request('GET_GUILDS')).rejects.toThrow(/^x{300}$/);
});

it.each([null, {}, 'text', { code: '4003' }])(
  'the client handles an ERROR with the data %j',
  async (data) => {
    const { client } = await connected(({ opcode, body }, peer) => {
      if (opcode === Opcode.HANDSHAKE) peer.ready();
      if (opcode === Opcode.FRAME) peer.payload({ cmd: body.cmd, nonce: body.nonce, evt: 'ERROR', data });
    });
    await expect(client.request('GET_GUILDS')).rejects.toMatchObject({
      code: 1000,
      message: 'GET_GUILDS failed',
    });
  },
);

it('the client hides an access token that the server quotes in its refusal', async () => {
  const { client } = await connected(({ opcode, body }, peer) => {
    if (opcode === Opcode.HANDSHAKE) return peer.ready();
    if (opcode !== Opcode.FRAME) return;
    const message = `Invalid access token: ${body.args.access_token}`;
    peer.payload({ cmd: body.cmd, nonce: body.nonce, evt: 'ERROR', data: { code: 4009, message } });
  });
  const refusals = [
    client.authenticate('very-secret'),
    client.request('AUTHENTICATE', { access_token: 'very-secret' }),
  ];
  for (const refusal of refusals) {
    await expect(refusal).rejects.toMatchObject({ message: 'Invalid access token: [token]', code: 4009 });
  }
});

it('the client hides the token of its connection in every message of the server', async () => {
  const { server, client } = await connected((frame, peer, connection) => {
    const { cmd, nonce } = frame.body;
    if (cmd !== 'GET_GUILDS') return wellBehaved(frame, peer, connection);
    peer.payload({ cmd, nonce, evt: 'ERROR', data: { code: 4006, message: 'very-secret lacks a scope' } });
  });
  await client.authenticate('very-secret');
  await expect(client.request('GET_GUILDS')).rejects.toMatchObject({ message: '[token] lacks a scope' });
  const lost = new Promise<ClientError>((resolve) => client.on('disconnected', resolve));
  server.peer.send(Opcode.CLOSE, { code: 4003, message: 'Token revoked: very-secret' });
  expect(await lost).toMatchObject({
    message: 'Closed by the server: 4003 Token revoked: [token]',
    reason: { code: 4003, message: 'Token revoked: [token]' },
  });
});

it('the client rejects a request after its timeout and ignores the late response', async () => {
  const { server, client } = await connected(silent);
  const late = client.request('GET_GUILDS', {}, { timeoutMs: 20 });
  await expect(late).rejects.toMatchObject({
    code: 'FOOTBRIDGE_TIMEOUT',
    message: 'GET_GUILDS: no answer within 20 ms',
  });
  // On a busy machine the request arrives after its timeout.
  await eventually(() => expect(server.peer.requests()).toHaveLength(1));
  const [{ nonce }] = server.peer.requests();
  server.peer.payload({ cmd: 'GET_GUILDS', nonce, data: {} });
  server.peer.dispatch('SOMETHING', 1);
  const { value } = await client[Symbol.asyncIterator]().next();
  expect(value).toEqual({ event: 'SOMETHING', data: 1 });
});

it('the client applies its own timeout when the timeout of a request is undefined', async () => {
  const { client } = await connected(silent, { requestTimeoutMs: 20 });
  const timeoutMs = undefined;
  for (const request of [
    client.request('GET_GUILDS', {}, { timeoutMs }),
    client.setActivity({ details: 'By the river' }, { timeoutMs }),
    client.authenticate('token', { timeoutMs }),
    client.subscribe('GUILD_CREATE', {}, () => {}, { timeoutMs }),
  ])
    await expect(request).rejects.toMatchObject({ code: 'FOOTBRIDGE_TIMEOUT' });
});

it('the client applies its own timeout to requests without one, except AUTHORIZE, which waits for the user', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { client } = await connected(silent, { requestTimeoutMs: 1000 });
  const settled: string[] = [];
  client.request('GET_GUILDS').catch(() => settled.push('GET_GUILDS'));
  client.request('AUTHORIZE', { client_id: clientId }).catch(() => settled.push('AUTHORIZE'));
  await vi.advanceTimersByTimeAsync(999);
  expect(settled).toEqual([]);
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(settled).toEqual(['GET_GUILDS']);
});

it('the client rejects a request with the reason of the signal when the signal aborts', async () => {
  const { client } = await connected(silent);
  const abort = new AbortController();
  const pending = client.request('GET_GUILDS', {}, { signal: abort.signal });
  abort.abort('enough');
  await expect(pending).rejects.toBe('enough');
  await expect(client.request('GET_GUILDS', {}, { signal: abort.signal })).rejects.toBe('enough');
});

it('the client rejects pending requests when the connection is lost, and later requests at once', async () => {
  const { server, client } = await connected(silent);
  const pending = client.request('GET_GUILDS');
  const lost = new Promise<ClientError>((resolve) => client.on('disconnected', resolve));
  await eventually(() => expect(server.peer.requests()).toHaveLength(1));
  await server.stop();
  await expect(pending).rejects.toMatchObject({ code: 'FOOTBRIDGE_DISCONNECTED' });
  expect((await lost).code).toBe('FOOTBRIDGE_DISCONNECTED');
  expect(client.state).toBe('retrying');
  await expect(client.request('GET_GUILDS')).rejects.toMatchObject({
    code: 'FOOTBRIDGE_NOT_CONNECTED',
    message: 'Not connected: retrying',
  });
});

it('the client reports the code and message with which the server closed the connection', async () => {
  const { server, client } = await connected();
  const lost = new Promise<ClientError>((resolve) => client.on('disconnected', resolve));
  server.peer.send(Opcode.CLOSE, { code: 1000, message: 'User logout' });
  expect(await lost).toMatchObject({
    message: 'Closed by the server: 1000 User logout',
    reason: { code: 1000, message: 'User logout' },
  });
});

it('the client sends CLOSE when it is closed, and rejects pending and later requests', async () => {
  const { server, client } = await connected(silent);
  const pending = client.request('GET_GUILDS');
  const events: string[] = [];
  client.on('closed', () => events.push('closed'));
  client.on('retry', () => events.push('retry'));
  await client.close();
  await client.close();
  await expect(pending).rejects.toMatchObject({ code: 'FOOTBRIDGE_CLOSED' });
  await expect(client.request('GET_GUILDS')).rejects.toMatchObject({ code: 'FOOTBRIDGE_CLOSED' });
  await expect(client.connect()).rejects.toMatchObject({ code: 'FOOTBRIDGE_CLOSED' });
  await eventually(() => expect(server.peer.received.at(-1)).toEqual({ opcode: Opcode.CLOSE, body: {} }));
  expect(client.state).toBe('closed');
  expect(events).toEqual(['closed']);
});

it('the client closes when its signal aborts', async () => {
  const abort = new AbortController();
  const { client } = await connected(wellBehaved, { signal: abort.signal });
  abort.abort();
  expect(client.state).toBe('closed');
  await expect(connect({ clientId, paths: [], signal: abort.signal })).rejects.toBe(abort.signal.reason);
});

it('the client removes its signal listeners when it is closed', async () => {
  const abort = new AbortController();
  const forgotten = vi.spyOn(abort.signal, 'removeEventListener');
  const listened = vi.spyOn(abort.signal, 'addEventListener');
  const { client } = await connected(wellBehaved, { signal: abort.signal });
  await client.requestRaw('ECHO', {}, { signal: abort.signal });
  await client.close();
  expect(listened.mock.calls.length).toBeGreaterThan(1);
  const listeners = (spy: typeof listened | typeof forgotten) =>
    new Set(spy.mock.calls.map(([, listener]) => listener));
  expect(listeners(forgotten)).toEqual(listeners(listened));
});

it('connect rejects when its signal aborts', async () => {
  const server = await scriptedServer(() => {});
  const abort = new AbortController();
  const pending = connect({ clientId, paths: [server.path], signal: abort.signal });
  setImmediate(() => abort.abort('enough'));
  await expect(pending).rejects.toBe('enough');
});

it('the client raises no unhandled rejection for a promise that the program ignores', async () => {
  const seen: unknown[] = [];
  const listener = (reason: unknown): void => void seen.push(reason);
  process.on('unhandledRejection', listener);
  onTestFinished(() => void process.off('unhandledRejection', listener));
  const { server, client } = await connected(silent);
  void client.request('GET_GUILDS');
  void client.setActivity({ details: 'x' });
  void client.setActivity({ details: 'By the river' });
  void client.subscribe('VOICE_SETTINGS_UPDATE', {}, () => {});
  void client.authenticate('token');
  await server.stop();
  void client.clearActivity();
  void client.request('GET_GUILDS');
  await new Promise((resolve) => setTimeout(resolve, 20));
  await client.close();
  expect(seen).toEqual([]);
});

it('the client reports an exception of a listener as uncaught and continues', async () => {
  const { server, client } = await connected();
  const seen: unknown[] = [];
  const others = process.listeners('uncaughtException');
  process.removeAllListeners('uncaughtException');
  process.on('uncaughtException', (error) => seen.push(error));
  onTestFinished(() => {
    process.removeAllListeners('uncaughtException');
    for (const other of others) process.on('uncaughtException', other);
  });
  const mistake = new Error('a mistake of the program');
  client.on('dispatch', () => {
    throw mistake;
  });
  const heard: unknown[] = [];
  client.on('dispatch', (event) => heard.push(event));
  server.peer.dispatch('ONE', null);
  server.peer.dispatch('TWO', null);
  await eventually(() => expect(heard).toEqual(['ONE', 'TWO']));
  expect(seen).toEqual([mistake, mistake]);
  expect(client.state).toBe('ready');
});

it('a disposer removes one listener, and a function registered twice counts as two listeners', async () => {
  const { server, client } = await connected();
  const heard: unknown[] = [];
  const listener = (event: string): void => void heard.push(event);
  const stop = client.on('dispatch', listener);
  client.on('dispatch', listener);
  server.peer.dispatch('ONE', null);
  await eventually(() => expect(heard).toEqual(['ONE', 'ONE']));
  stop();
  stop();
  server.peer.dispatch('TWO', null);
  await eventually(() => expect(heard).toEqual(['ONE', 'ONE', 'TWO']));
});

it('several clients in one process have separate states', async () => {
  const server = await scriptedServer();
  const clients: Client[] = await Promise.all(
    ['1', '2', '3'].map((id) => connect({ clientId: id, paths: [server.path] })),
  );
  onTestFinished(() => Promise.all(clients.map((client) => client.close())).then(() => {}));
  const [first, second] = clients;
  await first?.close();
  expect(clients.map(({ state }) => state)).toEqual(['closed', 'ready', 'ready']);
  expect(await second?.requestRaw('ECHO', { of: 2 })).toEqual({ of: 2 });
});

// A number is refused because most ids are larger than a number can tell apart.
it.each<[string, unknown, string]>([
  ['paths', '/run/user/1000/discord-ipc-0', 'a list of texts'],
  ['paths', ['/x', 5], 'a list of texts'],
  ['paths', null, 'a list of texts'],
  ['anyOwner', 'yes', 'true or false'],
  ['wait', 1, 'true or false'],
  ['reconnect', 'false', 'true or false'],
  ['keepAlive', 0, 'true or false'],
  ['connectTimeoutMs', '5000', 'milliseconds, as a number'],
  ['json', { parse: JSON.parse }, 'an object with parse and stringify, as JSON is'],
  ['requestTimeoutMs', Number.NaN, 'milliseconds, as a number'],
  ['requestTimeoutMs', -1, 'milliseconds, as a number'],
  ['signal', {}, 'an AbortSignal'],
  ['token', 'very-secret', 'a function that gives the token'],
])('createClient and connect name the option %s with the wrong value %j', async (name, value, wanted) => {
  const options = { clientId, [name]: value } as unknown as ClientOptions;
  const error = { code: 'FOOTBRIDGE_INVALID_ARGUMENT', message: `${name}: must be ${wanted}` };
  expect(() => createClient(options)).toThrow(expect.objectContaining(error));
  await expect(connect(options)).rejects.toMatchObject(error);
});

it.each([undefined, null, 'options'])('createClient reports options that are %j', (options) => {
  expect(() => createClient(options as unknown as ClientOptions)).toThrow('options: must be an object');
});

it.each(['', '0', 'abc', '12x', '-1', '1'.repeat(21), 18, null, undefined, {}])(
  'createClient rejects the client id %j before it sends anything',
  (wrong) => {
    expect(() => createClient({ clientId: wrong as string })).toThrow(
      expect.objectContaining({
        code: 'FOOTBRIDGE_INVALID_ARGUMENT',
        message: expect.stringContaining('clientId'),
      }),
    );
  },
);

it('the client rejects a handler that is not a function at its registration', async () => {
  const { server, client } = await connected();
  const wrong = 'handler' as never;
  const refused = { code: 'FOOTBRIDGE_INVALID_ARGUMENT', message: 'handler: must be a function' };
  await expect(client.subscribe('ACTIVITY_JOIN', {}, wrong)).rejects.toMatchObject(refused);
  expect(() => client.on('dispatch', wrong)).toThrow(expect.objectContaining(refused));
  expect(server.peer.received).toHaveLength(1);
});

it('the client is idle until connect() is called', async () => {
  const server = await scriptedServer();
  const client = createClient({ clientId, paths: [server.path] });
  onTestFinished(() => client.close());
  expect([client.state, client.user, client.config]).toEqual(['idle', undefined, undefined]);
  await expect(client.request('GET_GUILDS')).rejects.toMatchObject({ message: 'Not connected: idle' });
  const both = [client.connect(), client.connect()];
  expect(client.state).toBe('connecting');
  await Promise.all(both);
  await client.connect();
  expect(server.peers).toHaveLength(1);
});

it('the client rejects further requests while the server leaves a megabyte unread', async () => {
  const { server, client } = await connected((frame, peer) => {
    if (frame.opcode === Opcode.HANDSHAKE) peer.ready();
    else peer.socket.pause();
  });
  const text = 'x'.repeat(256 * 1024);
  const outcomes: Promise<unknown>[] = [];
  for (let i = 0; i < 40; i++) outcomes.push(client.requestRaw('ECHO', { text }).catch((error) => error));
  const refused = await Promise.race(outcomes);
  expect(refused).toBeInstanceOf(ClientError);
  expect(refused).toMatchObject({ code: 'FOOTBRIDGE_OVERLOADED', message: 'ECHO: the server reads nothing' });
  server.peer.socket.destroy();
});
