import { type Server, Socket, type SocketConstructorOpts } from 'node:net';
import { socketFd } from '../native/drain.ts';
import type { Native, NativeAbsence } from '../native/native.ts';

/**
 * Maximum number of accepts per turn of the event loop: a full queue (4,096 by default), and as many connections that
 * arrive meanwhile.
 */
const MAX_TAKEN = 8192;
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
 * Makes the server accept all waiting connections in one turn of the event loop; Node alone accepts one. A program that
 * connects and disconnects in a loop is faster than Node: it fills the queue, and connects of other programs fail with
 * EAGAIN. A peer that has left without sending a byte causes no connection event. Without the native call, the server
 * is unchanged.
 */
export function drainAcceptQueue(server: Server, native: Native | NativeAbsence): void {
  if (native.kind === 'absent' || native.acceptWaiting === undefined) return;
  const { acceptWaiting } = native;
  let turn: 'node' | 'ours' = 'node';
  let connections = 0;
  server.on('connection', () => {
    if (turn === 'ours') return;
    connections += 1;
    if (connections % CHECK_EVERY !== 0) return;
    turn = 'ours';
    try {
      takeWaiting(server, acceptWaiting);
    } finally {
      turn = 'node';
    }
  });
}

function takeWaiting(server: Server, accept: NonNullable<Native['acceptWaiting']>): void {
  const { allowHalfOpen, pauseOnConnect } = server as Server & {
    readonly allowHalfOpen: boolean;
    readonly pauseOnConnect: boolean;
  };
  let served = 0;
  for (let taken = 0; taken < MAX_TAKEN && served < MAX_SERVED; taken += 1) {
    // A listener of the previous connection event may have closed the server.
    const listener = socketFd(server);
    const fd = listener === undefined ? undefined : accept(listener);
    if (fd === undefined) return;
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
}
