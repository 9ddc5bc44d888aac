import { connect, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import WebSocket from 'ws';
import { createOriginList, type OriginEntry } from '../../src/daemon/origin-list.ts';
import type { Faults } from '../../src/faults/faults.ts';
import { createServer, type Server } from '../../src/server/server.ts';
import { defaultLimits, type Limits } from '../../src/session/limits.ts';
import { type WebSocketOptions, websocketTransport } from '../../src/transport/websocket/websocket.ts';
import { Opcode } from '../../src/wire/codes.ts';
import type { Frame } from '../../src/wire/frame.ts';
import { AppPeer, CLIENT_ID, type PeerLink } from './app-peer.ts';
import { type FakeCore, type FakeCoreOptions, fakeCore } from './fake-core.ts';
import { uid } from './sockets.ts';

/** The origin that a bridge of these tests lets speak for `CLIENT_ID`. */
export const ORIGIN = 'http://localhost:3000';

/** A query that is right in every way. */
export const QUERY = `/?v=1&client_id=${CLIENT_ID}&encoding=json`;

/** A server on a loopback port with a fake core. */
export interface WebBridge {
  readonly server: Server;
  readonly core: FakeCore;
  readonly port: number;
  readonly url: string;
  /** Why WebSockets were turned away. */
  readonly refused: readonly string[];
  /** An app over WebSocket; its CLOSE frame is the close code it saw. */
  readonly connect: (query?: string, headers?: Readonly<Record<string, string>>) => AppPeer;
  /** An app that has taken READY. */
  readonly app: () => Promise<AppPeer>;
  /** What a raw request gets, up to the end of the connection. */
  readonly exchange: (request: string) => Promise<string>;
  /** One HTTP request with the usual Host, and what came back. */
  readonly http: (
    method: string,
    path: string,
    headers?: Readonly<Record<string, string>>,
    body?: string,
  ) => Promise<HttpAnswer>;
}

/** An HTTP answer taken apart. */
interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface WebBridgeOptions
  extends FakeCoreOptions,
    Pick<WebSocketOptions, 'readyUser' | 'ownerOf' | 'receiveMs'> {
  readonly limits?: Partial<Limits>;
  readonly origins?: readonly OriginEntry[];
  readonly faults?: Faults;
}

/** Starts it on a free port; everything is closed after the test. */
export async function webBridge(options: WebBridgeOptions = {}): Promise<WebBridge> {
  const { readyUser, ownerOf, receiveMs, origins = [{ clientId: CLIENT_ID, origin: ORIGIN }] } = options;
  const limits = { ...defaultLimits, ...options.limits };
  const refused: string[] = [];
  const transport = websocketTransport({
    ports: { first: 0, last: 0 },
    originAllowed: createOriginList(origins).allows,
    frameBytes: limits.frameBytes,
    unreadBytes: limits.unreadBytes,
    uid,
    onRefused: (reason) => refused.push(reason),
    ...(readyUser === undefined ? {} : { readyUser }),
    ...(ownerOf === undefined ? {} : { ownerOf }),
    ...(receiveMs === undefined ? {} : { receiveMs }),
  });
  const core = fakeCore(options);
  const server = await createServer({
    transports: [transport],
    core,
    limits,
    ...(options.faults === undefined ? {} : { faults: options.faults }),
  });
  onTestFinished(() => server.close());
  const url = server.endpoints[0]?.path ?? '';
  const port = Number(new URL(url).port);
  const open = (query = QUERY, headers: Readonly<Record<string, string>> = { origin: ORIGIN }) =>
    new AppPeer(webSocketLink(new WebSocket(url + query, { headers })));
  const exchangeHere = (request: string) => exchange(port, request);
  return {
    server,
    core,
    port,
    url,
    refused,
    connect: open,
    async app() {
      const app = open();
      const ready = await app.answer();
      if (ready.evt !== 'READY') throw new Error(`expected READY, got ${JSON.stringify(ready)}`);
      return app;
    },
    exchange: exchangeHere,
    http: async (method, path, headers = {}, body) =>
      parse(
        await exchangeHere(
          head(`${method} ${path}`, {
            host: `127.0.0.1:${port}`,
            ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
            ...headers,
          }) + (body ?? ''),
        ),
      ),
  };
}

/** A request's head: first line without version, headers in order. */
export function head(line: string, headers: Readonly<Record<string, string>>): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${line} HTTP/1.1\r\n${lines.join('')}\r\n`;
}

/** The headers of a WebSocket request, in order, without an Origin. */
export function upgradeHeaders(port: number): Record<string, string> {
  return {
    host: `127.0.0.1:${port}`,
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
  };
}

/** Sends raw bytes to a port, and gives back what came until the connection ended. */
export async function exchange(port: number, request: string): Promise<string> {
  const socket = await loopback(port);
  let answer = '';
  socket.on('data', (chunk) => {
    answer += chunk.toString('latin1');
  });
  const over = new Promise((resolve) => socket.once('close', resolve));
  socket.write(request, 'latin1');
  await over;
  return answer;
}

/** A plain connection to a port, destroyed after the test. */
export async function loopback(port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1' });
  onTestFinished(() => void socket.destroy());
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject).once('connect', resolve);
  });
  return socket.on('error', () => {});
}

function parse(answer: string): HttpAnswer {
  const end = answer.indexOf('\r\n\r\n');
  const [first = '', ...lines] = answer.slice(0, end).split('\r\n');
  return {
    status: Number(first.split(' ')[1]),
    headers: Object.fromEntries(
      lines.map((line) => [
        line.slice(0, line.indexOf(':')).toLowerCase(),
        line.slice(line.indexOf(':') + 2),
      ]),
    ),
    body: answer.slice(end + 4),
  };
}

/** Text messages as FRAMEs, the close code as a CLOSE frame; a refused upgrade is a CLOSE with its HTTP status. */
export function webSocketLink(socket: WebSocket): PeerLink {
  onTestFinished(() => socket.terminate());
  const frames: Frame[] = [];
  let ended = false;
  let wake = (): void => {};
  const opened = new Promise<void>((resolve) => socket.once('open', resolve));
  const put = (opcode: Opcode, body: Uint8Array) => {
    frames.push({ opcode, body });
    wake();
  };
  const end = (code: number, message: string) => {
    if (ended) return;
    ended = true;
    put(Opcode.CLOSE, Buffer.from(JSON.stringify({ code, message })));
  };
  socket.on('message', (data: Buffer) => put(Opcode.FRAME, data));
  socket.on('unexpected-response', (_request, response) => end(response.statusCode ?? 0, 'no upgrade'));
  socket.on('error', (error) => void error);
  socket.on('close', (code, reason) => end(code, String(reason)));
  return {
    write: (bytes) => void opened.then(() => socket.send(bytes.subarray(8), { binary: false })),
    async receive() {
      while (frames.length === 0 && !ended) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      return frames.shift();
    },
    end: () => socket.terminate(),
  };
}
