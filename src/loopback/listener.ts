import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { LONGEST_BACKLOG } from '../../platform/backlog.ts';
import { systemCode } from '../../platform/local-error.ts';
import { LOOPBACK } from './host.ts';
import { refuse } from './raw-answer.ts';

/** Ports to try, in order; 0 takes any free one. */
export interface PortRange {
  readonly first: number;
  readonly last: number;
}

/** What a {@link LoopbackListener} does, and to whom it hands over. */
export interface LoopbackOptions {
  readonly ports: PortRange;
  /** How long a peer may take to deliver its request (ms); then 408. */
  readonly receiveMs: number;
  /** Connections without a request that is looked at; the oldest is dropped for a new one. */
  readonly strangers: number;
  /** A request to switch protocols; `head` is what came behind it. */
  onUpgrade(request: IncomingMessage, socket: Socket, head: Buffer): void;
  /** Any other request; what is not for us gets the constant 404 from the handler too. */
  onRequest(request: IncomingMessage, response: ServerResponse): void;
}

/** A listener on 127.0.0.1. */
export interface LoopbackListener {
  /** Undefined when every port of the range is taken. */
  readonly port: number | undefined;
  /** Its request is looked at: the connection does not go for a new one, but still has to be done in time. */
  keep(socket: Socket): void;
  /** From now on the connection is somebody's: it is not cut for being slow or old. */
  admit(socket: Socket): void;
  stopAccepting(): void;
  /** Stops, and drops those that were not admitted. */
  close(): void;
}

/** Largest request head, in bytes. */
const MAX_HEADER_BYTES = 8 * 1024;
/** The interval at which Node looks for slow requests; ours are timed one by one, so that an idle process sleeps. */
const NEVER_MS = 2 ** 31 - 1;

/** Listens on the first free port. Rejects with the system's error when the loopback cannot be used at all. */
export async function listenOnLoopback(options: LoopbackOptions): Promise<LoopbackListener> {
  const strangers = new Strangers(options.receiveMs, options.strangers);
  for (let port = options.ports.first; port <= options.ports.last; port++) {
    const server = createLoopbackServer(options, strangers);
    if (await tryListen(server, port)) {
      return {
        port: (server.address() as AddressInfo).port,
        keep: (socket) => strangers.keep(socket),
        admit: (socket) => strangers.release(socket),
        stopAccepting: () => server.close(),
        close() {
          server.close();
          strangers.destroyAll();
        },
      };
    }
  }
  return { port: undefined, keep() {}, admit() {}, stopAccepting() {}, close() {} };
}

function createLoopbackServer(options: LoopbackOptions, strangers: Strangers): Server {
  // Node's own answers (400 without Host, 417, 431) would tell one request from another.
  const server = createServer({
    maxHeaderSize: MAX_HEADER_BYTES,
    requireHostHeader: false,
    connectionsCheckingInterval: NEVER_MS,
  });
  server.headersTimeout = 0;
  server.requestTimeout = 0;
  const served = new WeakSet<Socket>();
  const once = (socket: Socket): boolean => {
    if (served.has(socket)) return false;
    served.add(socket);
    return true;
  };
  const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
    // One request a connection: what is sent behind it is not looked at.
    if (once(request.socket)) options.onRequest(request, response);
  };
  server.on('connection', (socket) => strangers.add(socket));
  server.on('request', onRequest);
  server.on('checkContinue', onRequest);
  server.on('checkExpectation', ({ socket }) => refuse(socket, 404));
  server.on('connect', (_request, socket) => refuse(orphaned(socket), 404));
  server.on('clientError', (_error, socket) => refuse(orphaned(socket), 404));
  server.on('upgrade', (request, duplex, head) => {
    const socket = orphaned(duplex);
    if (once(socket)) options.onUpgrade(request, socket, head);
  });
  return server;
}

/** Node has taken its listeners off; without one of ours a reset would end the process. */
function orphaned(duplex: Duplex): Socket {
  return (duplex as Socket).on('error', () => {});
}

async function tryListen(server: Server, port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => {
      const code = systemCode(error);
      // EACCES: Windows reserves whole ranges of ports.
      if (code === 'EADDRINUSE' || code === 'EACCES') resolve(false);
      else reject(error);
    });
    server.listen({ port, host: LOOPBACK, backlog: LONGEST_BACKLOG }, () => {
      // Later errors concern single connections (EMFILE): the next one works again.
      server.on('error', () => {});
      resolve(true);
    });
  });
}

/** Connections that nobody has admitted: each has its time, and those whose request is not in yet make room. */
class Strangers {
  readonly #timers = new Map<Socket, NodeJS.Timeout>();
  /** Those that may go, oldest first. */
  readonly #silent = new Set<Socket>();
  readonly #receiveMs: number;
  readonly #max: number;

  constructor(receiveMs: number, max: number) {
    this.#receiveMs = receiveMs;
    this.#max = max;
  }

  add(socket: Socket): void {
    const [oldest] = this.#silent.size >= this.#max ? this.#silent : [];
    if (oldest) {
      this.release(oldest);
      oldest.destroy();
    }
    const late = () => (socket.writableEnded ? socket.destroy() : refuse(socket, 408));
    this.#timers.set(socket, setTimeout(late, this.#receiveMs));
    this.#silent.add(socket);
    socket.once('close', () => this.release(socket));
  }

  keep(socket: Socket): void {
    this.#silent.delete(socket);
  }

  release(socket: Socket): void {
    this.#silent.delete(socket);
    clearTimeout(this.#timers.get(socket));
    this.#timers.delete(socket);
  }

  destroyAll(): void {
    for (const socket of [...this.#timers.keys()]) socket.destroy();
  }
}
