import type { Server } from 'node:net';
import { AcceptedSocket } from '../native/accepted-socket.ts';
import { socketFd } from '../native/drain.ts';
import type { Native, NativeAbsence } from '../native/native.ts';

/**
 * Time after which the rest of the queue waits for the next turn of the event loop (ms). Connections that were closed at
 * once arrive about as fast as they are removed: without a limit, one program that connects and disconnects in a loop
 * delays everyone else by 200 ms and more.
 */
const MAX_TURN_MS = 2;
/** Number of accepts between two looks at the clock. */
const CLOCK_EVERY = 16;
/**
 * Maximum number of live connections that are accepted per turn. When a connection is closed to make room for one of
 * them, its descriptor may only be freed at the end of the turn, so that more could exceed a low limit of open files.
 */
const MAX_ACCEPTED = 64;
/** The same where a socket of Node is created for each at once, because each takes time and delays others. */
const MAX_SERVED = 8;

/** Number of connections between two checks of the queue, because a check costs more than an accept. */
export const CHECK_EVERY = 16;

/** Options of {@link drainAcceptQueue}. */
export interface AcceptQueueOptions {
  /** Receives accepted connections in place of the server's connection event, and opens them when it serves them. */
  readonly take?: (socket: AcceptedSocket) => void;
  /** Clock (ms). */
  readonly now?: () => number;
}

/**
 * Makes the server accept the waiting connections, many in one turn of the event loop and the rest in the next turns;
 * Node alone accepts one in a turn. A program that connects and disconnects in a loop is faster than Node: it fills the
 * queue, and connects of other programs fail with EAGAIN. A peer that has left without sending a byte causes no
 * connection event. Without the native call, the server is unchanged.
 */
export function drainAcceptQueue(
  server: Server,
  native: Native | NativeAbsence,
  { take, now = () => performance.now() }: AcceptQueueOptions = {},
): void {
  if (native.kind === 'absent' || native.acceptWaiting === undefined) return;
  const { acceptWaiting } = native;
  const deliver = take ?? ((socket: AcceptedSocket) => void server.emit('connection', socket.open()));
  const max = take === undefined ? MAX_SERVED : MAX_ACCEPTED;
  /** Who accepts: Node, or this function, at the moment or again in the next turn. */
  let acceptor: 'node' | 'ours' | 'ours next' = 'node';
  let connections = 0;
  const drain = (): void => {
    acceptor = 'ours';
    const { sockets, rest } = acceptTurn(server, acceptWaiting, max, now);
    try {
      for (const socket of sockets) deliver(socket);
    } finally {
      acceptor = rest === 'none' ? 'node' : 'ours next';
    }
    if (rest === 'unknown') setImmediate(drain);
  };
  server.on('connection', () => {
    if (acceptor === 'ours') return;
    connections += 1;
    if (connections % CHECK_EVERY === 0 && acceptor === 'node') drain();
  });
}

/** Accepts waiting connections for one turn; `rest` tells whether any may be left in the queue. */
function acceptTurn(
  server: Server,
  accept: NonNullable<Native['acceptWaiting']>,
  max: number,
  now: () => number,
): { readonly sockets: readonly AcceptedSocket[]; readonly rest: 'none' | 'unknown' } {
  const until = now() + MAX_TURN_MS;
  const sockets: AcceptedSocket[] = [];
  for (let taken = 0; sockets.length < max; taken += 1) {
    if (taken % CLOCK_EVERY === CLOCK_EVERY - 1 && now() >= until) break;
    // A listener of an earlier connection event may have closed the server.
    const listener = socketFd(server);
    const fd = listener === undefined ? undefined : accept(listener);
    if (fd === undefined) return { sockets, rest: 'none' };
    if (fd !== 'left') sockets.push(new AcceptedSocket(fd, server));
  }
  return { sockets, rest: 'unknown' };
}
