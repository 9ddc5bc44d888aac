import { type Server, Socket, type SocketConstructorOpts } from 'node:net';
import { socketFd } from '../native/drain.ts';
import type { Native, NativeAbsence } from '../native/native.ts';

/** How many are taken in one turn of the event loop: a full queue (4,096 by default), and as many that came meanwhile. */
const MAX_TAKEN = 8192;
/**
 * How many of them may still be there: each of those is work, and others want their turn. Whoever has to go for them gives the
 * descriptor back at the end of the turn, so that more would be too many where the limit of open files is low.
 */
const MAX_SERVED = 8;

/** The queue is looked at with each connection of this number, because a look costs more than to accept one. */
export const LOOK_EVERY = 16;

/** What Node gives to the sockets that it accepts. */
interface AcceptedOptions extends SocketConstructorOpts {
  /** Not documented. Without it, reading begins at once. */
  readonly pauseOnCreate: boolean;
}

/**
 * Has the server take everybody who waits for it in one turn, where Node takes one. A program that connects and hangs up
 * in a loop is faster than that: it fills the queue, and the connects of others fail with EAGAIN. Whoever left without a
 * byte is not told of. On systems without the call nothing changes.
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
    // Whoever is told of a connection may close the server.
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
