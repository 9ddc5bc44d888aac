import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import { isOurHost } from '../../loopback/host.ts';
import { listenOnLoopback } from '../../loopback/listener.ts';
import type { OwnerCheck } from '../../loopback/owner.ts';
import { refuse } from '../../loopback/raw-answer.ts';
import { Slots } from '../../loopback/slots.ts';
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
  /** Whose programs are served. */
  readonly refusedOwner: OwnerCheck;
  onClient(client: WsClient): void;
  onRefused(reason: string): void;
}

/** A WebSocket server on loopback. */
export interface WsListener {
  readonly port: number;
  close(): Promise<void>;
}

const STRANGER = 'the program belongs to another user';
/** How long a request may take to come in (ms). */
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
  const { port, messageBytes, places } = options;
  const { WebSocketServer } = await import('ws');
  const sockets = new WebSocketServer({ noServer: true, maxPayload: messageBytes, perMessageDeflate: false });
  const clients = new Clients();
  const listening = await listenOnLoopback({
    ports: { first: port, last: port },
    receiveMs: RECEIVE_MS,
    pending: places,
    refusedOwner: options.refusedOwner,
    refusal: 403,
    strangerText: STRANGER,
    onStranger: () => options.onRefused(STRANGER),
    onUpgrade(request, socket, head) {
      const fault = judge(request, clients, options);
      if (fault !== undefined) {
        options.onRefused(fault);
        // No page can read it, but whoever writes a client does.
        return refuse(socket, 403, fault);
      }
      if (listening.kind === 'listening') listening.admit(socket);
      delete request.headers['sec-websocket-protocol'];
      sockets.handleUpgrade(request, socket, head, (web) =>
        welcome({ web, socket, request }, clients, options),
      );
    },
    onRequest: ({ socket }) => refuse(socket, 404),
  });
  if (listening.kind === 'no port') throw listening.error;
  return {
    port: listening.port,
    async close() {
      for (const web of sockets.clients) web.terminate();
      listening.close();
    },
  };
}

/** What speaks against the request; undefined when nothing does. */
function judge(
  { url, headers, socket }: IncomingMessage,
  clients: Clients,
  options: WsListenerOptions,
): string | undefined {
  if (!isOurHost(headers.host, socket.localPort ?? 0)) return 'wrong Host: connect to 127.0.0.1';
  if (headers.origin !== undefined && !options.origins.has(headers.origin))
    return 'Origin not allowed: it is for attach_origins to name it';
  if (url?.split('?', 1)[0] !== options.path)
    return 'wrong path: connect to the address that "footbridge attach" prints';
  return clients.isFull ? 'too many clients: end one' : undefined;
}

/** Who is connected: those that were not trusted yet make room for each other, and never those that were. */
class Clients {
  readonly #untrusted = new Slots<WebSocket>(MOST_CLIENTS, (web) => web.terminate());
  readonly #trusted = new Set<WebSocket>();

  get isFull(): boolean {
    return this.#trusted.size >= MOST_CLIENTS;
  }

  enter(web: WebSocket): void {
    this.#untrusted.enter(web);
    web.on('close', () => {
      this.#untrusted.leave(web);
      this.#trusted.delete(web);
    });
  }

  trust(web: WebSocket): void {
    if (this.#untrusted.leave(web)) this.#trusted.add(web);
  }
}

interface Arrival {
  readonly web: WebSocket;
  readonly socket: Duplex;
  readonly request: IncomingMessage;
}

function welcome({ web, socket, request }: Arrival, clients: Clients, options: WsListenerOptions): void {
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
    trust: () => clients.trust(web),
  };
  clients.enter(web);
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
