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
 * and again, so thousands at once would leave no time for anything else.
 */
const MAX_CONNECTING = 64;

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

async function connectTo(path: () => Promise<string>, { app, until }: Waiting): Promise<void> {
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
  } catch (error) {
    app.abort(isLocalError(error) ? error.message : `${where} cannot be reached: ${systemErrorText(error)}.`);
  } finally {
    clearTimeout(timer);
  }
}
