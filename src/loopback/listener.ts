import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket, Server as SocketServer } from 'node:net';
import type { Duplex } from 'node:stream';
import { MAX_BACKLOG } from '../../platform/endpoint/backlog.ts';
import { systemCode } from '../base/local-error.ts';
import { BoundedHttpServer } from './bounded-http-server.ts';
import { type ConnectionLimit, limitConnections, withoutNodesTimes } from './connection-limit.ts';
import { LOOPBACK } from './host.ts';
import type { OwnerCheck } from './owner.ts';
import { type RawStatus, refuse } from './raw-answer.ts';

/** Ports to try, in order; 0 selects any free port. */
export interface PortRange {
  readonly first: number;
  readonly last: number;
}

/** Options of a {@link LoopbackListener}, with the handlers of its connections. */
export interface LoopbackOptions {
  readonly ports: PortRange;
  /** Time within which a peer must deliver its request (ms); after it, the answer is 408. */
  readonly receiveMs: number;
  /** Maximum number of connections without a request in progress; a new connection drops the oldest one. */
  readonly pending: number;
  /** Checks the owner of a connection. Only connections of accepted owners are served. */
  readonly refusedOwner: OwnerCheck;
  /** Constant answer to invalid requests and to other users. `strangerText` is its body for other users. */
  readonly refusal: RawStatus;
  readonly strangerText?: string;
  /** Called for a connection of another user that has sent data. */
  onStranger?(reason: string): void;
  /** Handles a request to switch protocols; `head` is the data after the request. */
  onUpgrade(request: IncomingMessage, socket: Socket, head: Buffer): void;
  /** Handles any other request. It must answer a request from another site or host with the constant refusal, too. */
  onRequest(request: IncomingMessage, response: ServerResponse): void;
}

/** A listener on 127.0.0.1, or the reason why it could not listen. */
export type LoopbackListening = LoopbackListener | NoPort;

/** Every port of the range is taken; `error` is the system's error for the last of them. */
export interface NoPort {
  readonly kind: 'no port';
  readonly error: Error;
}

/** A listener on 127.0.0.1. */
export interface LoopbackListener {
  readonly kind: 'listening';
  readonly port: number;
  /**
   * The connection's request is being processed. The connection no longer makes room for others, but its time limit
   * still applies.
   */
  beginAnswer(socket: Socket): void;
  /** From now on, the connection has an owner and is not dropped for being slow or old. */
  admit(socket: Socket): void;
  stopAccepting(): void;
  /** Stops listening, and drops connections that were not admitted. */
  close(): void;
}

/** Maximum size of a request head (bytes). */
const MAX_HEADER_BYTES = 8 * 1024;

/**
 * Listens on the first free port. Rejects with the system's error when the loopback interface cannot be used at all.
 */
export async function listenOnLoopback(options: LoopbackOptions): Promise<LoopbackListening> {
  const { first, last } = options.ports;
  for (let port = first; ; port++) {
    let limit: ConnectionLimit | undefined;
    const { refusedOwner, refusal, strangerText: refusalText = '', pending: unidentified } = options;
    const onRefused = (reason: string): void => options.onStranger?.(reason);
    const server = new BoundedHttpServer(
      () => {
        const http = createLoopbackServer(options);
        limit = http.limit;
        return http.server;
      },
      { refusedOwner, refusal, refusalText, unidentified, onRefused },
    );
    const taken = await tryListen(server, port);
    if (taken === undefined) {
      return {
        kind: 'listening',
        port: (server.address() as AddressInfo).port,
        beginAnswer: (socket) => limit?.beginAnswer(socket),
        admit: (socket) => limit?.release(socket),
        stopAccepting: () => server.close(),
        close() {
          server.close();
          limit?.destroyAll();
        },
      };
    }
    if (port >= last) return { kind: 'no port', error: taken };
  }
}

function createLoopbackServer(options: LoopbackOptions): {
  readonly server: Server;
  readonly limit: ConnectionLimit;
} {
  // Node's own answers (400 without Host, 417, 431) would reveal differences between requests, so they are replaced.
  const server = createServer({
    ...withoutNodesTimes,
    maxHeaderSize: MAX_HEADER_BYTES,
    requireHostHeader: false,
  });
  const limit = limitConnections(server, {
    slots: options.pending,
    receiveMs: options.receiveMs,
    late: (socket) => (socket.writableEnded ? socket.destroy() : refuse(socket, 408)),
  });
  const served = new WeakSet<Socket>();
  const once = (socket: Socket): boolean => {
    if (served.has(socket)) return false;
    served.add(socket);
    return true;
  };
  const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
    // A connection serves only one request; data after it is not read.
    if (once(request.socket)) options.onRequest(request, response);
  };
  server.on('request', onRequest);
  server.on('checkContinue', onRequest);
  const { refusal } = options;
  server.on('checkExpectation', ({ socket }) => refuse(socket, refusal));
  server.on('connect', (_request, socket) => refuse(orphaned(socket), refusal));
  server.on('clientError', (_error, socket) => refuse(orphaned(socket), refusal));
  server.on('upgrade', (request, duplex, head) => {
    const socket = orphaned(duplex);
    if (once(socket)) options.onUpgrade(request, socket, head);
  });
  return { server, limit };
}

/** Node has removed its listeners. Without this listener, a reset would end the process. */
function orphaned(duplex: Duplex): Socket {
  return (duplex as Socket).on('error', () => {});
}

/** Whether a failed `listen` would work on another port. */
export function isPortTaken(error: unknown): boolean {
  const code = systemCode(error);
  // Windows reports EACCES for ports in the ranges that it reserves.
  return code === 'EADDRINUSE' || code === 'EACCES';
}

/** Resolves with undefined when the server listens, or with the system's error when the port is not available. */
async function tryListen(server: SocketServer, port: number): Promise<Error | undefined> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => {
      if (isPortTaken(error)) resolve(error);
      else reject(error);
    });
    server.listen({ port, host: LOOPBACK, backlog: MAX_BACKLOG }, () => {
      // Later errors concern single connections (EMFILE); the next connection may succeed.
      server.on('error', () => {});
      resolve(undefined);
    });
  });
}
