import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type Deadline, startDeadline } from '../scheduling/deadline.ts';
import { SilentConnections } from '../scheduling/silent-connections.ts';

/** Limits for the connections of a server. */
export interface ConnectionLimits {
  readonly slots: number;
  /** Time within which a peer must send its request, from the connect and from each answer (ms). */
  readonly receiveMs: number;
  /** Ends a connection whose time is over; by default without an answer. */
  readonly late?: (socket: Socket) => void;
}

/** Methods with which the owner of a limited server reports on its connections. */
export interface ConnectionLimit {
  /**
   * The connection's request is being processed. The connection no longer makes room for others, but its time limit
   * still applies.
   */
  beginAnswer(socket: Socket): void;
  /**
   * The connection has another owner, such as a WebSocket. From now on, it is neither counted nor ended by the limit.
   */
  release(socket: Socket): void;
  /** Drops all connections that were not released. */
  destroyAll(): void;
}

/**
 * Options for `createServer` that turn off Node's own timeouts, because Node checks for slow peers at an interval even
 * in an idle process. `limitConnections` times each connection individually.
 */
export const withoutNodesTimes = {
  headersTimeout: 0,
  requestTimeout: 0,
  connectionsCheckingInterval: 2 ** 31 - 1,
} as const;

interface Held {
  readonly deadline: Deadline;
  /** Answers that are not complete; several when the peer sends requests before it has the answers. */
  readonly answers: Set<ServerResponse>;
}

/**
 * Limits the connections of a server; must be called before the server listens. When all slots are taken, the peer that
 * has been silent for the longest time is dropped, so that silent peers lock nobody out. A peer that waits for the
 * server's answer keeps its slot.
 */
export function limitConnections(
  server: Server,
  { slots: maxSlots, receiveMs, late = (socket) => socket.destroy() }: ConnectionLimits,
): ConnectionLimit {
  const held = new Map<Socket, Held>();
  const silent = new SilentConnections<Socket>({
    limit: maxSlots,
    mayDrop: (socket) => !isServed(socket),
    drop(socket) {
      release(socket);
      socket.destroy();
    },
  });
  /** An answer is not complete, but its request is, or the server has not begun to read its body: the peer waits. */
  const isServed = (socket: Socket): boolean => {
    const answers = held.get(socket)?.answers;
    if (answers === undefined || socket.writableEnded) return false;
    for (const { req: request, writableEnded } of answers) {
      if (!writableEnded && (request.complete || request.readableFlowing === null)) return true;
    }
    return false;
  };
  const release = (socket: Socket): void => {
    silent.delete(socket);
    held.get(socket)?.deadline.cancel();
    held.delete(socket);
  };

  server.maxConnections = Number.POSITIVE_INFINITY;
  server.on('connection', (socket) => {
    if (!silent.add(socket)) return;
    const deadline = startDeadline(receiveMs, () => (isServed(socket) ? deadline.restart() : late(socket)));
    held.set(socket, { deadline, answers: new Set() });
    socket.once('close', () => release(socket));
  });
  server.on('request', ({ socket }, response) => {
    const one = held.get(socket);
    if (one === undefined) return;
    one.answers.add(response);
    response.once('close', () => {
      one.answers.delete(response);
      if (!held.has(socket)) return;
      silent.renew(socket);
      one.deadline.restart();
    });
  });
  return {
    beginAnswer: (socket) => void silent.delete(socket),
    release,
    destroyAll() {
      for (const socket of [...held.keys()]) socket.destroy();
    },
  };
}
