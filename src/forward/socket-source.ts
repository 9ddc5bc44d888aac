import { createServer, type Server, type Socket } from 'node:net';
import { dirname } from 'node:path';
import { drainAcceptQueue } from '../../platform/endpoint/accept-queue.ts';
import { MAX_BACKLOG } from '../../platform/endpoint/backlog.ts';
import {
  CheckedPath,
  type RestorableSocket,
  restoreSocket,
  socketErrorText,
} from '../../platform/endpoint/checked-path.ts';
import type { Environment } from '../../platform/endpoint/endpoints.ts';
import { withTightUmask } from '../../platform/files/umask.ts';
import type { OperatingSystem } from '../../platform/operating-system.ts';
import { systemErrorText } from '../../platform/system-error-text.ts';
import { isLocalError, LocalError } from '../base/local-error.ts';
import { checkPeer } from '../loopback/owner.ts';
import type { Sink } from './sink.ts';
import { SocketPeer } from './socket-peer.ts';

/** Options of {@link listenForApps}. */
export interface SocketSourceOptions {
  readonly os: OperatingSystem;
  /** Environment with the runtime folder, in which the lock of the path is. */
  readonly env: Environment;
  /** Path of the socket, or name of the pipe. */
  readonly path: string;
  readonly sink: Sink;
  /** Called with a sentence for the operator. */
  readonly report: (text: string) => void;
}

/** A listening source. */
export interface SocketSource {
  /** Accepts no further app and removes the socket; sessions continue. */
  close(): void;
  /** Number of connected apps. */
  sessions(): number;
}

/**
 * Listens at a path for apps of this user, whose sessions lead to the sink. The socket has mode 0600, never replaces a
 * live one or another file, and is restored when it is deleted. Throws `LocalError` FOOTBRIDGE_ENDPOINT_TAKEN and
 * FOOTBRIDGE_ENDPOINT_FOLDER.
 */
export async function listenForApps(options: SocketSourceOptions): Promise<SocketSource> {
  const { os, env, path } = options;
  const claim = await os.claimPath(os.prepareFolders(env), { path }).catch(named);
  let server: Server | undefined;
  let state: 'accepting' | 'closed' = 'accepting';
  const isOpen = (): boolean => state === 'accepting';
  let sessions = 0;

  const serve = async (): Promise<void> => {
    const fresh = createServer({ allowHalfOpen: true, pauseOnConnect: true }, (socket) => {
      sessions += 1;
      socket.once('close', () => {
        sessions -= 1;
      });
      accept(options, socket);
    });
    try {
      await listen(fresh, claim.bindPath);
      claim.publish();
    } catch (error) {
      fresh.close();
      throw error;
    }
    drainAcceptQueue(fresh, os.native);
    // An error such as EMFILE affects one connection only; the next accept works again.
    fresh.on('error', () => {});
    const before = server;
    server = fresh;
    // Connections in the queue of the old server are accepted in the next turn.
    setImmediate(() => setImmediate(() => before?.close()));
  };
  const stopAccepting = (): void => {
    state = 'closed';
    claim.release();
    server?.close();
  };
  const restore = async (): Promise<void> => {
    if (!isOpen() || !(await claim.renew())) return;
    await serve();
    // The source was closed in the meantime, so the name that was just published is released.
    if (!isOpen()) stopAccepting();
  };
  try {
    await serve();
  } catch (error) {
    claim.release();
    throw isLocalError(error) ? error : unusable(path, error);
  }
  const socket = { owned: () => claim.owned(), deleted: () => claim.deleted(), restore };
  const checks = new CheckedPath(path, reportedCheck(socket, options, isOpen));
  checks.follow();
  const close = (): void => {
    stopAccepting();
    void checks.stop();
  };
  return { close, sessions: () => sessions };
}

/** Restores the socket where it was deleted, and reports each reason for its loss once. */
function reportedCheck(
  socket: RestorableSocket,
  { path, report }: SocketSourceOptions,
  isOpen: () => boolean,
): () => Promise<void> {
  let reported: string | undefined;
  return async () => {
    if (!isOpen()) return;
    const why = await restoreSocket(socket, path).catch((error: unknown) =>
      socketErrorText(path, error, 'chosen'),
    );
    if (why !== undefined && why !== reported && isOpen()) report(why);
    reported = why;
  };
}

function accept({ os, sink }: SocketSourceOptions, socket: Socket): void {
  const peer = checkPeer(os, socket);
  if (peer.kind === 'refused') {
    socket.on('error', () => {});
    socket.destroy();
    return;
  }
  sink.connect(new SocketPeer(socket, 'app'), peer.kind === 'known' ? peer.credentials.pid : 0);
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    withTightUmask(
      () =>
        server.listen({ path, backlog: MAX_BACKLOG }, () => {
          server.off('error', reject);
          resolve();
        }),
      path,
    );
  });
}

/** Names the remedy for a folder that is missing, which nobody makes while a forward waits for it. */
function named(error: unknown): never {
  if (!isLocalError(error) || error.code !== 'FOOTBRIDGE_NO_FOLDER') throw error;
  throw new LocalError('FOOTBRIDGE_ENDPOINT_FOLDER', `${error.message} Make it first, with mode 0700.`, {
    cause: error,
  });
}

function unusable(path: string, cause: unknown): LocalError {
  const reason = systemErrorText(cause);
  return new LocalError(
    'FOOTBRIDGE_ENDPOINT_FOLDER',
    `${dirname(path)}: no socket can be made in it: ${reason}.`,
    {
      cause,
    },
  );
}
