import { chmodSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { dirname } from 'node:path';
import { drainAcceptQueue } from '../../platform/endpoint/accept-queue.ts';
import { MAX_BACKLOG } from '../../platform/endpoint/backlog.ts';
import {
  type InodeIdentity,
  identityOf,
  isStill,
  lstatOf,
  moveIntoFree,
  removeIfStill,
  temporaryPath,
} from '../../platform/files/inode.ts';
import { withTightUmask } from '../../platform/files/umask.ts';
import type { OperatingSystem } from '../../platform/operating-system.ts';
import { systemErrorText } from '../../platform/system-error-text.ts';
import { isLocalError, LocalError } from '../base/local-error.ts';
import type { BoundedHttpServer } from '../loopback/bounded-http-server.ts';

/** A control API that listens. */
export interface ListeningControl {
  readonly path: string;
  /** Whether the path still references our socket. */
  owned(): boolean;
  /** Whether the path no longer exists. */
  deleted(): boolean;
  /** Listens again at a path that was deleted; the caller must hold the lock. Throws as `listenControl` does. */
  restore(): Promise<void>;
  /** Ends every connection and removes the socket. */
  close(): Promise<void>;
}

/**
 * Makes the control API listen on a socket with mode 0600. The caller must hold the lock of the private folder, so an
 * existing socket is that of a killed daemon and is replaced; any other file is left in place. Throws `LocalError`
 * FOOTBRIDGE_ENDPOINT_FOLDER for such a file.
 */
export async function listenControl(
  server: BoundedHttpServer,
  path: string,
  { name, native }: Pick<OperatingSystem, 'name' | 'native'>,
): Promise<ListeningControl> {
  if (name === 'win32') {
    await bind(server, path, path);
    return {
      path,
      owned: () => true,
      deleted: () => false,
      restore: () => Promise.resolve(),
      close: () => end(server),
    };
  }
  removeStale(path);
  let identity: InodeIdentity | undefined = await bindAndPublish(server, path);
  drainAcceptQueue(server, native);
  let successor: Server | undefined;
  return {
    path,
    owned: () => identity !== undefined && isStill(path, identity),
    deleted: () => identity !== undefined && lstatOf(path) === undefined,
    async restore() {
      // A Node server can listen only once, so a fresh server accepts on the new socket and passes the connections to
      // the server that answers.
      const fresh = createServer({ allowHalfOpen: true }, (socket) => server.emit('connection', socket));
      const standing = await bindAndPublish(fresh, path);
      drainAcceptQueue(fresh, native);
      if (identity === undefined) {
        removeIfStill(path, standing);
        fresh.close();
        return;
      }
      identity = standing;
      successor?.close();
      successor = fresh;
    },
    close() {
      if (identity !== undefined) removeIfStill(path, identity);
      identity = undefined;
      successor?.close();
      return end(server);
    },
  };
}

function end(server: BoundedHttpServer): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

/**
 * Listens under a temporary name and then publishes the socket: closing a server deletes the name that it bound, even
 * if another process's file has that name by then.
 */
async function bindAndPublish(server: Server, path: string): Promise<InodeIdentity> {
  const bindPath = temporaryPath(dirname(path));
  await bind(server, bindPath, path);
  try {
    chmodSync(bindPath, 0o600);
    const status = lstatOf(bindPath);
    if (status === undefined) throw cannotListen(path, 'it was deleted while we were starting');
    if (!moveIntoFree(bindPath, path)) throw cannotListen(path, 'another program put a file there meanwhile');
    return identityOf(status);
  } catch (error) {
    server.close();
    throw isLocalError(error) ? error : cannotListen(path, systemErrorText(error), error);
  }
}

async function bind(server: Server, bindPath: string, path: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(cannotListen(path, systemErrorText(error), error)));
    withTightUmask(() => server.listen({ path: bindPath, backlog: MAX_BACKLOG }, resolve), bindPath);
  });
  // Later errors concern single connections.
  server.on('error', () => {});
}

function removeStale(path: string): void {
  const status = lstatOf(path);
  if (status === undefined) return;
  if (!status.isSocket())
    throw cannotListen(path, 'another kind of file stands there, which must be moved away first');
  removeIfStill(path, identityOf(status));
}

function cannotListen(path: string, problem: string, cause?: unknown): LocalError {
  return new LocalError(
    'FOOTBRIDGE_ENDPOINT_FOLDER',
    `The control socket ${path} cannot be used: ${problem}. ` +
      'Make sure that its folder is ours and writable, or point XDG_RUNTIME_DIR at another one.',
    { cause },
  );
}
