import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { type Client, connected, createClientOver } from '../../src/client/client.ts';
import type { ClientError } from '../../src/client/errors.ts';
import type { ClientOptions } from '../../src/client/options.ts';
import type { MakeSocket } from '../../src/client/text-socket.ts';
import { webTransport } from '../../src/client/web-transport.ts';
import { startEmulator } from '../../src/testing/testing.ts';
import { freePort } from '../helpers/sockets.ts';

const clientId = '300000000000000001';
const PAGE = 'http://localhost:3000';

/** The WebSocket of a page: it names the origin. */
class PageSocket extends WebSocket {
  constructor(address: string) {
    super(address, { origin: PAGE });
  }
}
const asPage = PageSocket as unknown as MakeSocket;

function client(options: Partial<ClientOptions>): Client {
  const made = createClientOver((given) => webTransport(given, asPage), { clientId, ...options });
  onTestFinished(() => made.close());
  return made;
}

const READY = JSON.stringify({
  cmd: 'DISPATCH',
  evt: 'READY',
  data: { v: 1, config: {}, user: { id: '1', username: 'river' } },
});

interface Scripted {
  readonly path: string;
  /** What came, with the address of each connection first. */
  readonly heard: string[];
  readonly sockets: WebSocket[];
}

/** A chat client that does as told once somebody connects. */
async function scripted(script: (socket: WebSocket) => void): Promise<Scripted> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  onTestFinished(() => {
    for (const socket of server.clients) socket.terminate();
    server.close();
  });
  const heard: string[] = [];
  const sockets: WebSocket[] = [];
  server.on('connection', (socket, { url = '' }) => {
    sockets.push(socket);
    heard.push(url);
    socket.on('message', (data: Buffer) => heard.push(data.toString()));
    script(socket);
  });
  await new Promise((resolve) => server.once('listening', resolve));
  return { path: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`, heard, sockets };
}

async function failure(options: Partial<ClientOptions>): Promise<ClientError> {
  return connected(client(options)).then(
    () => {
      throw new Error('it connected');
    },
    (error: ClientError) => error,
  );
}

describe('a chat client over WebSocket', () => {
  it('serves a client as it serves a web page', async () => {
    const emulator = await startEmulator();
    onTestFinished(() => emulator.close());
    await emulator.operations.call('origins.add', { clientId, origin: PAGE });
    const rpc = client({ paths: [emulator.ws] });
    await rpc.connect();
    expect(rpc.config?.cdn_host).toBeTypeOf('string');
    await expect(rpc.request('GET_GUILDS')).rejects.toMatchObject({ name: 'RpcError', code: 4006 });
    await rpc.close();
    expect(rpc.state).toBe('closed');
  });

  it('receives the application in the address', async () => {
    const server = await scripted((socket) => socket.send(READY));
    await client({ paths: [`${server.path}/`] }).connect();
    expect(server.heard).toEqual([`/?v=1&encoding=json&client_id=${clientId}`]);
  });

  it('is used from the first address where one is ready', async () => {
    const silent = await scripted(() => {});
    const closing = await scripted((socket) => socket.close(4000, 'Invalid Client ID'));
    const ready = await scripted((socket) => socket.send(READY));
    const nobody = `ws://127.0.0.1:${await freePort()}`;
    const rpc = client({ paths: [nobody, silent.path, closing.path, ready.path], connectTimeoutMs: 500 });
    await rpc.connect();
    expect(rpc.user?.username).toBe('river');
    const none = await failure({ paths: [nobody, silent.path, closing.path], connectTimeoutMs: 500 });
    expect(none.code).toBe('FOOTBRIDGE_NO_SERVER');
    expect(none.attempts).toEqual([
      { path: nobody, reason: 'failed', message: 'no WebSocket, or none for pages of this origin' },
      { path: silent.path, reason: 'silent' },
      {
        path: closing.path,
        reason: 'rejected',
        code: 4000,
        message: expect.stringContaining('Invalid Client ID'),
      },
    ]);
  });

  it('is not found without an address', async () => {
    const error = await failure({ paths: [] });
    expect(error.message).toContain('nothing, for no place was named');
  });

  it.each([
    ['no text', (socket: WebSocket) => socket.send(Buffer.from('{}')), 'a message is not text'],
    ['no JSON', (socket: WebSocket) => socket.send('{"token":"very-secret'), 'a body is not JSON'],
    [
      'too much',
      (socket: WebSocket) => socket.send('x'.repeat(16 * 1024 * 1024 + 1)),
      'a message exceeds 16777216 bytes',
    ],
  ])('that sends %s is disconnected, and its message is not repeated', async (_what, send, told) => {
    const server = await scripted((socket) => socket.send(READY));
    const rpc = client({ paths: [server.path], reconnect: false });
    await rpc.connect();
    const lost = new Promise<ClientError>((resolve) => rpc.on('disconnected', resolve));
    const [socket] = server.sockets;
    if (socket === undefined) throw new Error('nobody connected');
    const gone = new Promise<number>((resolve) => socket.once('close', resolve));
    send(socket);
    const { code, message } = await lost;
    expect([code, message]).toEqual(['FOOTBRIDGE_PROTOCOL', `The server broke the protocol: ${told}`]);
    expect(await gone).toBe(1000);
  });

  it.each([
    [
      'says why',
      (socket: WebSocket) => socket.close(4003, 'Token revoked'),
      { code: 4003, message: 'Token revoked' },
    ],
    ['says nothing', (socket: WebSocket) => socket.terminate(), undefined],
  ])('that hangs up and %s is connected again', async (_how, hangUp, reason) => {
    const server = await scripted((socket) => socket.send(READY));
    const rpc = client({ paths: [server.path] });
    await rpc.connect();
    const lost = new Promise<ClientError>((resolve) => rpc.on('disconnected', resolve));
    const asked = rpc.requestRaw('GET_GUILDS');
    const again = new Promise((resolve) => rpc.on('ready', resolve));
    for (const socket of server.sockets) hangUp(socket);
    await expect(asked).rejects.toMatchObject({ code: 'FOOTBRIDGE_DISCONNECTED' });
    expect((await lost).reason).toEqual(reason);
    await again;
    expect(server.sockets).toHaveLength(2);
  });

  it('is abandoned at once when the signal aborts before READY', async () => {
    const server = await scripted(() => {});
    const leaving = new AbortController();
    const rpc = client({ paths: [server.path], signal: leaving.signal, wait: true });
    const connecting = rpc.connect();
    await expect.poll(() => server.sockets.length).toBe(1);
    leaving.abort(new Error('enough'));
    await expect(connecting).rejects.toThrow('enough');
    await rpc.close();
  });

  it('that reads nothing makes the client reject further requests', async () => {
    const server = await scripted((socket) => {
      socket.send(READY);
      socket.pause();
    });
    const rpc = client({ paths: [server.path], requestTimeoutMs: 0 });
    await rpc.connect();
    const big = 'x'.repeat(200_000);
    const asked = Array.from({ length: 100 }, async () => rpc.requestRaw('GET_GUILDS', { big }));
    const [first] = await Promise.allSettled([
      Promise.any(asked.map(async (one) => one.catch((error) => error))),
    ]);
    expect(first).toMatchObject({ value: { code: 'FOOTBRIDGE_OVERLOADED' } });
    await rpc.close();
    await Promise.allSettled(asked);
  });

  it('that does not close is abandoned after a second', async () => {
    const server = await scripted((socket) => {
      socket.send(READY);
      socket.pause();
    });
    const rpc = client({ paths: [server.path] });
    await rpc.connect();
    await rpc.close();
    expect(rpc.state).toBe('closed');
  });

  it('receives the presence again only after the token', async () => {
    const server = await scripted((socket) => {
      socket.send(READY);
      socket.on('message', (data: Buffer) => {
        const { cmd, nonce } = JSON.parse(data.toString());
        socket.send(JSON.stringify({ cmd, nonce, data: {} }));
      });
    });
    const rpc = client({ paths: [server.path] });
    await rpc.connect();
    await rpc.authenticate('a token');
    await rpc.setActivity({ details: 'In a page' });
    server.heard.length = 0;
    await rpc.reconnect();
    await expect.poll(() => server.heard.length).toBe(3);
    const commands = server.heard.slice(1).map((text) => JSON.parse(text));
    expect(commands.map(({ cmd }) => cmd)).toEqual(['AUTHENTICATE', 'SET_ACTIVITY']);
    // Of a page there is no process.
    expect(commands[1].args).toEqual({ activity: { details: 'In a page' } });
  });

  it.each(['/run/user/1000/discord-ipc-0', 'http://127.0.0.1:6463', 'ws://chat.example', 'ws:'])(
    'is rejected at the address %s',
    (path) => {
      expect(() => client({ paths: [path] })).toThrow('paths: must be a wss address, or ws on this machine');
    },
  );
});
