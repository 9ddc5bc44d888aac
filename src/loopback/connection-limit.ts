import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Slots } from './slots.ts';

/** The connections that a server has room for. */
export interface ConnectionLimits {
  readonly slots: number;
  /** How long a peer may take to send its request, from the connect and from each answer on (ms). */
  readonly receiveMs: number;
  /** Ends one whose time is over; default: without an answer. */
  readonly late?: (socket: Socket) => void;
}

/** Reports of a limited server's owner on its connections. */
export interface ConnectionLimit {
  /** Its request is being processed: it does not make room any more, but still has to be done in time. */
  keep(socket: Socket): void;
  /** The connection has an owner, such as a WebSocket: from now on it is neither counted nor cut. */
  release(socket: Socket): void;
  /** Drops all that were not released. */
  destroyAll(): void;
}

/**
 * For `createServer`: Node checks for slow peers at an interval, even in an idle process. Ours are timed one by
 * one.
 */
export const withoutNodesTimes = {
  headersTimeout: 0,
  requestTimeout: 0,
  connectionsCheckingInterval: 2 ** 31 - 1,
} as const;

interface Held {
  readonly timer: NodeJS.Timeout;
  exchange: { readonly request: IncomingMessage; readonly response: ServerResponse } | undefined;
}

/**
 * Bounds the connections of a server, before it listens. When all slots are taken, the peer that has been silent for
 * the longest time makes room, so that silence locks no peer out; a peer that waits for our answer retains its slot.
 */
export function limitConnections(
  server: Server,
  { slots: places, receiveMs, late = (socket) => socket.destroy() }: ConnectionLimits,
): ConnectionLimit {
  const held = new Map<Socket, Held>();
  const slots = new Slots<Socket>(
    places,
    (socket) => {
      release(socket);
      socket.destroy();
    },
    (socket) => !isServed(socket),
  );
  /** Its request is in, and our answer is not out: the wait is ours. */
  const isServed = (socket: Socket): boolean => {
    const exchange = held.get(socket)?.exchange;
    if (exchange === undefined || socket.writableEnded) return false;
    return exchange.request.complete && !exchange.response.writableEnded;
  };
  const release = (socket: Socket): void => {
    slots.leave(socket);
    clearTimeout(held.get(socket)?.timer);
    held.delete(socket);
  };

  server.maxConnections = Number.POSITIVE_INFINITY;
  server.on('connection', (socket) => {
    if (!slots.enter(socket)) return void socket.destroy();
    const timer = setTimeout(() => {
      if (isServed(socket)) timer.refresh();
      else late(socket);
    }, receiveMs);
    held.set(socket, { timer, exchange: undefined });
    socket.once('close', () => release(socket));
  });
  server.on('request', (request, response) => {
    const { socket } = request;
    const one = held.get(socket);
    if (one === undefined) return;
    one.exchange = { request, response };
    response.once('close', () => {
      if (!held.has(socket)) return;
      slots.renew(socket);
      one.timer.refresh();
    });
  });
  return {
    keep: (socket) => void slots.leave(socket),
    release,
    destroyAll() {
      for (const socket of [...held.keys()]) socket.destroy();
    },
  };
}
