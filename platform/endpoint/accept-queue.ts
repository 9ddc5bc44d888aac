import { type Server, Socket, type SocketConstructorOpts } from 'node:net';
import { socketFd } from '../native/drain.ts';
import type { Native, NativeAbsence } from '../native/native.ts';

/**
 * Maximum number of accepts in one turn of the event loop: a full queue (4,096 by default), and the same number of
 * later arrivals.
 */
const MAX_TAKEN = 8192;
/**
 * Maximum number of live connections accepted in one turn: each is work, and delays others. A connection that is
 * closed for one of them frees its descriptor at the end of the turn: more would exceed a low limit of open files.
 */
const MAX_SERVED = 8;

/** Number of connections per check of the queue, because a check costs more than an accept. */
export const LOOK_EVERY = 16;

/** Options that Node passes to the sockets that it accepts. */
interface AcceptedOptions extends SocketConstructorOpts {
  /** Not documented. Without it, reading begins at once. */
  readonly pauseOnCreate: boolean;
}

/**
 * Makes the server accept every waiting connection in one turn, where Node accepts one. A program that connects and
 * hangs up in a loop is faster than that: it fills the queue, and the connects of others fail with EAGAIN. A peer that
 * left without a byte causes no connection event. On systems without the call the server is unchanged.
 */
export function drainAcceptQueue(server: Server, native: Native | NativeAbsence): void {
  if (native.kind === 'absent' || native.acceptWaiting === undefined) return;
  const { acceptWaiting } = native;
  let turn: 'node' | 'ours' = 'node';
  let connections = 0;
  server.on('connection', () => {
    if (turn === 'ours') return;
    connections += 1;
    if (connections % LOOK_EVERY !== 0) return;
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
    // A listener of the connection event may close the server.
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
