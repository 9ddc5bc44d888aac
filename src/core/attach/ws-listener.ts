import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import { isOurHost } from '../../loopback/host.ts';
import { listenOnLoopback } from '../../loopback/listener.ts';
import type { OwnerCheck } from '../../loopback/owner.ts';
import { refuse } from '../../loopback/raw-answer.ts';
import { SilentConnections } from '../../scheduling/silent-connections.ts';
import { FixedWindow } from '../fixed-window.ts';

/** A connected program. Messages are text. */
export interface WsClient {
  /** Origin header; undefined for a program that is not a browser. */
  readonly origin: string | undefined;
  send(text: string): void;
  /** Closes the connection with a WebSocket close code and a reason. */
  close(code: number, reason: string): void;
  /** Marks the client as identified: from then on its connection is not closed to make room for others. */
  trust(): void;
  /** Receives each text message, and the close once. Set it before the first `await`. */
  listener: { message(text: string): void; closed(): void } | undefined;
}

/** Address of the listener, and the rules for its clients. */
export interface WsListenerOptions {
  /** 0 takes any free port. */
  readonly port: number;
  readonly path: string;
  /** Exact origins that are accepted; a request without an Origin is accepted as well. */
  readonly origins: ReadonlySet<string>;
  /** Maximum size of a message (bytes); a larger message closes the connection before it is buffered. */
  readonly messageBytes: number;
  /** Maximum number of connections that have not become a WebSocket. */
  readonly maxPending: number;
  /** Refuses processes of other owners. */
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
/** Timeout for receiving a request (ms). */
const RECEIVE_MS = 5000;
/** Maximum number of untrusted clients, and also of trusted clients; a chat client needs one connection. */
const MAX_CLIENTS = 16;
/** Maximum of unread data (bytes); a client with more is disconnected. */
const MAX_UNREAD_BYTES = 2 * 1024 * 1024;
/** Limits per client and second; messages beyond them wait in the client's socket. */
const MAX_PER_SECOND = { messages: 5000, bytes: 32 * 1024 * 1024 };
/** A client that does not answer a ping within this time is disconnected (ms). */
const PING_MS = 30_000;

/** Opens the listener. Rejects with the system's error when the port cannot be opened. */
export async function openWsListener(options: WsListenerOptions): Promise<WsListener> {
  const { port, messageBytes, maxPending } = options;
  const { WebSocketServer } = await import('ws');
  const sockets = new WebSocketServer({ noServer: true, maxPayload: messageBytes, perMessageDeflate: false });
  const clients = new Clients();
  const listening = await listenOnLoopback({
    ports: { first: port, last: port },
    receiveMs: RECEIVE_MS,
    pending: maxPending,
    refusedOwner: options.refusedOwner,
    refusal: 403,
    strangerText: STRANGER,
    onStranger: () => options.onRefused(STRANGER),
    onUpgrade(request, socket, head) {
      const fault = refusalReason(request, clients, options);
      if (fault !== undefined) {
        options.onRefused(fault);
        // The reason is sent because the author of a client can read it; a web page cannot.
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

/** Reason to refuse the request; undefined to accept it. */
function refusalReason(
  { url, headers, socket }: IncomingMessage,
  clients: Clients,
  options: WsListenerOptions,
): string | undefined {
  if (!isOurHost(headers.host, socket.localPort ?? 0)) return 'wrong Host: connect to 127.0.0.1';
  if (headers.origin !== undefined && !options.origins.has(headers.origin))
    return 'Origin not allowed: add it to attach_origins';
  if (url?.split('?', 1)[0] !== options.path)
    return 'wrong path: connect to the address that "footbridge attach" prints';
  return clients.isFull ? 'too many clients: end one' : undefined;
}

/** Connected clients: a new untrusted client may displace an older untrusted one, but never a trusted one. */
class Clients {
  readonly #untrusted = new SilentConnections<WebSocket>({
    limit: MAX_CLIENTS,
    drop: (web) => web.terminate(),
  });
  readonly #trusted = new Set<WebSocket>();

  get isFull(): boolean {
    return this.#trusted.size >= MAX_CLIENTS;
  }

  enter(web: WebSocket): void {
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

function welcome({ web, socket, request }: Arrival, clients: Clients, options: WsListenerOptions): void {
  const client: WsClient = {
    origin: request.headers.origin,
    listener: undefined,
    send(text) {
      if (web.readyState !== web.OPEN) return;
      // Only data that waited before this message is counted, because one message may be large.
      if (web.bufferedAmount <= MAX_UNREAD_BYTES) return web.send(text);
      options.onRefused('it does not read');
      web.terminate();
    },
    close: (code, reason) => {
      web.close(code, reason);
      // The connection is cut after a second, because a client may ignore the close.
      setTimeout(() => web.terminate(), 1000).unref();
    },
    trust: () => clients.trust(web),
  };
  clients.enter(web);
  const window = new FixedWindow(MAX_PER_SECOND);
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
    // With the default `binaryType` the data is one Buffer.
    const bytes = data as Buffer;
    takeTime(bytes.byteLength);
    if (isBinary) {
      options.onRefused('it sends a message that is not text');
      client.close(1003, 'text only');
    } else client.listener?.message(bytes.toString('utf8'));
  });
  options.onClient(client);
}
