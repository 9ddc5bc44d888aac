import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import { isOurHost, LOOPBACK } from '../../loopback/host.ts';
import { limitPlaces, withoutNodesTimes } from '../../loopback/places.ts';
import { FixedWindow } from '../fixed-window.ts';

/** One program at the other end. Messages are text. */
export interface WsClient {
  /** Its Origin; undefined for a program that is no browser. */
  readonly origin: string | undefined;
  send(text: string): void;
  /** Ends it with a WebSocket close code. */
  close(code: number, reason: string): void;
  /** It is who it says: from now on it does not make room for others. */
  trust(): void;
  /** Told of each text message, and once of the end. Set it before anything is awaited. */
  listener: { message(text: string): void; closed(): void } | undefined;
}

/** Where to listen, and whom to let in. */
export interface WsListenerOptions {
  /** 0 takes any free one. */
  readonly port: number;
  readonly path: string;
  /** Exact origins; a request without any is let in as well. */
  readonly origins: ReadonlySet<string>;
  /** Largest message taken (bytes); a larger one ends the connection before it is kept. */
  readonly messageBytes: number;
  /** Connections at a time that have not become a WebSocket. */
  readonly places: number;
  /** Whether the process at the other end belongs to our user. */
  isOurs(socket: Socket): Promise<boolean>;
  onClient(client: WsClient): void;
  onRefused(reason: string): void;
}

/** A WebSocket server on loopback. */
export interface WsListener {
  readonly port: number;
  close(): Promise<void>;
}

/** How long a request may take to come in, and one that is refused to leave (ms). */
const RECEIVE_MS = 5000;
/** At a time, those that were not trusted yet and those that were; a chat client needs one. */
const MOST_CLIENTS = 16;
/** A client that leaves so much unread gets nothing more and is dropped (bytes). */
const MOST_UNREAD = 2 * 1024 * 1024;
/** What is taken from one client in a second; more waits in its socket. */
const MOST_PER_SECOND = { messages: 5000, bytes: 32 * 1024 * 1024 };
/** A client that answers no ping for so long is gone (ms). */
const PING_MS = 30_000;

/** Opens it. Rejects with the system's error when the port cannot be had. */
export async function openWsListener(options: WsListenerOptions): Promise<WsListener> {
  const http = createServer(withoutNodesTimes, (_request, response) => {
    response.writeHead(404, { connection: 'close' }).end();
  });
  const { messageBytes, places } = options;
  const admit = limitPlaces(http, { places, receiveMs: RECEIVE_MS });
  const room = new Room();
  const { WebSocketServer } = await import('ws');
  const sockets = new WebSocketServer({ noServer: true, maxPayload: messageBytes, perMessageDeflate: false });
  http.on('upgrade', (request, socket, head) => {
    socket.on('error', () => {});
    judge(request, portOf(http), room, options)
      .then((fault) => {
        if (fault === undefined) {
          admit(request.socket);
          delete request.headers['sec-websocket-protocol'];
          sockets.handleUpgrade(request, socket, head, (web) =>
            welcome({ web, socket, request }, room, options),
          );
        } else {
          options.onRefused(fault);
          socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
        }
      })
      .catch(() => socket.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    http.once('error', reject);
    http.listen(options.port, LOOPBACK, () => {
      http.off('error', reject).on('error', (error) => options.onRefused(error.name));
      resolve();
    });
  });
  return {
    port: portOf(http),
    async close() {
      for (const web of sockets.clients) web.terminate();
      http.closeAllConnections();
      await new Promise<void>((resolve) => http.close(() => resolve()));
    },
  };
}

function portOf(http: Server): number {
  return (http.address() as AddressInfo | null)?.port ?? 0;
}

/** What speaks against the request; undefined when nothing does. */
async function judge(
  { url, headers, socket }: IncomingMessage,
  port: number,
  room: Room,
  options: WsListenerOptions,
): Promise<string | undefined> {
  if (!isOurHost(headers.host, port)) return 'wrong Host';
  if (headers.origin !== undefined && !options.origins.has(headers.origin)) return 'Origin not allowed';
  if (url?.split('?', 1)[0] !== options.path) return 'wrong path';
  if (room.isFull) return 'too many clients';
  return (await options.isOurs(socket)) ? undefined : 'another user';
}

/** Who is connected. Silence must not lock others out: the oldest that is not trusted makes room. */
class Room {
  readonly #untrusted = new Set<WebSocket>();
  readonly #trusted = new Set<WebSocket>();

  get isFull(): boolean {
    return this.#trusted.size >= MOST_CLIENTS;
  }

  enter(web: WebSocket): void {
    const [oldest] = this.#untrusted;
    if (oldest && this.#untrusted.size >= MOST_CLIENTS) {
      this.#untrusted.delete(oldest);
      oldest.terminate();
    }
    this.#untrusted.add(web);
    web.on('close', () => {
      this.#untrusted.delete(web);
      this.#trusted.delete(web);
    });
  }

  trust(web: WebSocket): void {
    if (this.#untrusted.delete(web)) this.#trusted.add(web);
  }
}

interface Arrival {
  readonly web: WebSocket;
  readonly socket: Duplex;
  readonly request: IncomingMessage;
}

function welcome({ web, socket, request }: Arrival, room: Room, options: WsListenerOptions): void {
  const client: WsClient = {
    origin: request.headers.origin,
    listener: undefined,
    send(text) {
      if (web.readyState !== web.OPEN) return;
      // What waits from before counts: one message may be large.
      if (web.bufferedAmount <= MOST_UNREAD) return web.send(text);
      options.onRefused('it does not read');
      web.terminate();
    },
    close: (code, reason) => {
      web.close(code, reason);
      // One that does not answer the close is not waited for.
      setTimeout(() => web.terminate(), 1000).unref();
    },
    trust: () => room.trust(web),
  };
  room.enter(web);
  const window = new FixedWindow(MOST_PER_SECOND);
  const takeTime = (bytes: number): void => {
    const verdict = window.take(1, bytes, performance.now());
    if (verdict.kind === 'within' || web.isPaused) return;
    web.pause();
    setTimeout(() => web.resume(), verdict.waitMs).unref();
  };
  let alive = true;
  const pings = setInterval(() => {
    if (!alive) return web.terminate();
    alive = false;
    web.ping();
  }, PING_MS).unref();
  web.on('pong', () => {
    alive = true;
  });
  web.on('error', () => {
    options.onRefused('it breaks the WebSocket protocol, or sends too much at once');
    socket.destroy();
  });
  web.on('close', () => {
    clearInterval(pings);
    client.listener?.closed();
  });
  web.on('message', (data, isBinary) => {
    // One Buffer, unless `binaryType` says otherwise.
    const bytes = data as Buffer;
    takeTime(bytes.byteLength);
    if (isBinary) {
      options.onRefused('it sends what is no text');
      client.close(1003, 'text only');
    } else client.listener?.message(bytes.toString('utf8'));
  });
  options.onClient(client);
}
