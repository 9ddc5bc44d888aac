import type { Socket } from 'node:net';
import { connectLocally } from '../../platform/endpoint/connect-locally.ts';
import { systemErrorText } from '../../platform/system-error-text.ts';
import { isLocalError } from '../base/local-error.ts';
import { joinPeers, type Peer } from './peer.ts';
import type { Sink } from './sink.ts';
import { SocketPeer } from './socket-peer.ts';

/** Time that a bridge has to accept a connection, also while other connections are made before it (ms). */
const CONNECT_MS = 5000;

/**
 * Maximum number of connections that are being made at a time. A bridge with a full queue lets each of them try again
 * and again, so thousands at once would leave no time for anything else. A bridge also closes the oldest of more than 64
 * connections that have said nothing yet, and the system accepts connections before their first bytes are read.
 */
const MAX_CONNECTING = 48;

/** Time in which an app has to say something (ms); the connection of a silent one no longer counts as being made. */
const SILENT_MS = 100;

interface Waiting {
  readonly app: Peer;
  /** Time of `performance.now()` at which the app is refused. */
  readonly until: number;
}

/**
 * Leads sessions to a socket or pipe of this machine. `path` returns its path, or rejects with the reason why there is
 * none; it is called for every session, because a bridge may restart elsewhere.
 */
export function socketSink(path: () => Promise<string>): Sink {
  const waiting: Waiting[] = [];
  let connecting = 0;
  const connectNext = (): void => {
    if (connecting >= MAX_CONNECTING) return;
    const next = waiting.shift();
    if (next === undefined) return;
    connecting += 1;
    void connectTo(path, next).finally(() => {
      connecting -= 1;
      connectNext();
    });
  };
  return {
    connect(app) {
      waiting.push({ app, until: performance.now() + CONNECT_MS });
      connectNext();
    },
  };
}

async function connectTo(path: () => Promise<string>, next: Waiting): Promise<void> {
  const socket = await connectedSocket(path, next);
  if (socket !== undefined) await answerOf(socket);
}

/** Connects an app; returns the bridge's socket, or undefined where the app was refused. */
async function connectedSocket(
  path: () => Promise<string>,
  { app, until }: Waiting,
): Promise<Socket | undefined> {
  const late = new AbortController();
  const timer = setTimeout(
    () => late.abort(new Error(`it accepted no connection within ${CONNECT_MS / 1000} s`)),
    Math.max(0, until - performance.now()),
  ).unref();
  let where = 'The bridge';
  try {
    where = await path();
    const socket = await connectLocally(where, late.signal);
    // The other end may end one direction alone, which the default of `connect` does not allow.
    socket.allowHalfOpen = true;
    joinPeers(new SocketPeer(socket, 'bridge'), app);
    return socket;
  } catch (error) {
    app.abort(isLocalError(error) ? error.message : `${where} cannot be reached: ${systemErrorText(error)}.`);
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Resolves when the bridge has answered or closed the connection, or has not answered for {@link CONNECT_MS}, or the app
 * has said nothing for {@link SILENT_MS}.
 */
function answerOf(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      socket.off('data', done);
      socket.off('close', done);
      resolve();
    };
    let timer = setTimeout(() => {
      if (socket.bytesWritten === 0) return done();
      timer = setTimeout(done, CONNECT_MS);
    }, SILENT_MS);
    socket.on('data', done);
    socket.on('close', done);
  });
}
