import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The connections that a server has room for. */
export interface HttpPlaces {
  readonly places: number;
  /** How long a peer may take to say what it wants, from the connect and from each answer on (ms). */
  readonly receiveMs: number;
}

/** For `createServer`: Node looks for slow peers at an interval, even in an idle process. Ours are timed one by one. */
export const withoutNodesTimes = {
  headersTimeout: 0,
  requestTimeout: 0,
  connectionsCheckingInterval: 2 ** 31 - 1,
} as const;

interface Place {
  readonly timer: NodeJS.Timeout;
  exchange: { readonly request: IncomingMessage; readonly response: ServerResponse } | undefined;
}

/**
 * Bounds the connections of a server, before it listens. When all places are taken, the peer that has kept us waiting for
 * longest makes room, so that silence locks nobody out; who waits for our answer keeps its place. The returned function
 * takes a connection out of it, such as one that has become a WebSocket.
 */
export function limitPlaces(server: Server, { places, receiveMs }: HttpPlaces): (socket: Socket) => void {
  /** The one that waits for longest comes first. */
  const open = new Map<Socket, Place>();

  const leave = (socket: Socket): void => {
    clearTimeout(open.get(socket)?.timer);
    open.delete(socket);
  };
  const enter = (socket: Socket): void => {
    const place: Place = {
      timer: setTimeout(() => {
        if (isServed(place)) place.timer.refresh();
        else socket.destroy();
      }, receiveMs),
      exchange: undefined,
    };
    open.set(socket, place);
    socket.once('close', () => leave(socket));
  };
  const makeRoom = (): boolean => {
    for (const [socket, place] of open) {
      if (isServed(place)) continue;
      leave(socket);
      socket.destroy();
      return true;
    }
    return false;
  };

  server.maxConnections = Number.POSITIVE_INFINITY;
  server.on('connection', (socket) => {
    if (open.size < places || makeRoom()) enter(socket);
    else socket.destroy();
  });
  server.on('request', (request, response) => {
    const { socket } = request;
    const place = open.get(socket);
    if (place === undefined) return;
    place.exchange = { request, response };
    response.once('close', () => {
      if (!open.delete(socket)) return;
      open.set(socket, place);
      place.timer.refresh();
    });
  });
  return leave;
}

/** Its request is in, and our answer is not out: the wait is ours. */
function isServed({ exchange }: Place): boolean {
  return exchange?.request.complete === true && !exchange.response.writableEnded;
}
