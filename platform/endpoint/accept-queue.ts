import { type Server, Socket, type SocketConstructorOpts } from 'node:net';
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
 * Maximum number of live connections that are accepted per turn, because each takes time and delays others. When a
 * connection is closed to make room for one of them, its descriptor is only freed at the end of the turn, so that more
 * could exceed a low limit of open files.
 */
const MAX_SERVED = 8;

/** Number of connections between two checks of the queue, because a check costs more than an accept. */
export const CHECK_EVERY = 16;

/** Options that Node passes to a socket that it accepts. */
interface AcceptedOptions extends SocketConstructorOpts {
  /** Undocumented option; without it, the socket is read at once. */
  readonly pauseOnCreate: boolean;
}

/**
 * Makes the server accept the waiting connections, many in one turn of the event loop and the rest in the next turns;
 * Node alone accepts one in a turn. A program that connects and disconnects in a loop is faster than Node: it fills the
 * queue, and connects of other programs fail with EAGAIN. A peer that has left without sending a byte causes no
 * connection event. Without the native call, the server is unchanged. `now` is the clock (ms).
 */
export function drainAcceptQueue(
  server: Server,
  native: Native | NativeAbsence,
  now: () => number = () => performance.now(),
): void {
  if (native.kind === 'absent' || native.acceptWaiting === undefined) return;
  const { acceptWaiting } = native;
  /** Who accepts: Node, or this function, at the moment or again in the next turn. */
  let acceptor: 'node' | 'ours' | 'ours next' = 'node';
  let connections = 0;
  const take = (): void => {
    acceptor = 'ours';
    let rest: 'none' | 'unknown' = 'none';
    try {
      rest = takeWaiting(server, acceptWaiting, now);
    } finally {
      acceptor = rest === 'none' ? 'node' : 'ours next';
    }
    if (rest === 'unknown') setImmediate(take);
  };
  server.on('connection', () => {
    if (acceptor === 'ours') return;
    connections += 1;
    if (connections % CHECK_EVERY === 0 && acceptor === 'node') take();
  });
}

/** Accepts waiting connections for one turn; returns whether any may be left in the queue. */
function takeWaiting(
  server: Server,
  accept: NonNullable<Native['acceptWaiting']>,
  now: () => number,
): 'none' | 'unknown' {
  const { allowHalfOpen, pauseOnConnect } = server as Server & {
    readonly allowHalfOpen: boolean;
    readonly pauseOnConnect: boolean;
  };
  const until = now() + MAX_TURN_MS;
  let served = 0;
  for (let taken = 0; served < MAX_SERVED; taken += 1) {
    if (taken % CLOCK_EVERY === CLOCK_EVERY - 1 && now() >= until) break;
    // A listener of the previous connection event may have closed the server.
    const listener = socketFd(server);
    const fd = listener === undefined ? undefined : accept(listener);
    if (fd === undefined) return 'none';
    if (fd === 'left') continue;
    const options: AcceptedOptions = {
      fd,
      allowHalfOpen,
      pauseOnCreate: pauseOnConnect,
      readable: true,
      writable: true,
    };
    served += 1;
    server.emit('connection', new Socket(options));
  }
  return 'unknown';
}
