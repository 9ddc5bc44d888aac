import { connectLocally } from '../../platform/endpoint/connect-locally.ts';
import { systemErrorText } from '../../platform/system-error-text.ts';
import { joinPeers, type Peer } from './peer.ts';
import type { Sink } from './sink.ts';
import { SocketPeer } from './socket-peer.ts';

/** Time that a bridge has to accept a connection (ms). */
const CONNECT_MS = 5000;

/**
 * Leads sessions to a socket or pipe of this machine. `path` returns its path, or rejects with the reason why there is
 * none; it is called for every session, because a bridge may restart elsewhere.
 */
export function socketSink(path: () => Promise<string>): Sink {
  return { connect: (app) => void connectTo(path, app) };
}

async function connectTo(path: () => Promise<string>, app: Peer): Promise<void> {
  const late = new AbortController();
  const timer = setTimeout(
    () => late.abort(new Error(`it accepted no connection within ${CONNECT_MS / 1000} s`)),
    CONNECT_MS,
  ).unref();
  let where = 'The bridge';
  try {
    where = await path();
    const socket = await connectLocally(where, late.signal);
    // The other end may end one direction alone, which the default of `connect` does not allow.
    socket.allowHalfOpen = true;
    joinPeers(new SocketPeer(socket, 'bridge'), app);
  } catch (error) {
    app.abort(`${where} cannot be reached: ${systemErrorText(error)}.`);
  } finally {
    clearTimeout(timer);
  }
}
