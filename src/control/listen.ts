import { chmodSync, renameSync } from 'node:fs';
import type { Server } from 'node:http';
import { dirname } from 'node:path';
import type { OsName } from '../../platform/endpoints.ts';
import { identityOf, lstatOf, removeIfStill, temporaryPath } from '../../platform/inode.ts';
import { LocalError, systemCode } from '../../platform/local-error.ts';
import { withTightUmask } from '../../platform/umask.ts';

/** A control API that listens. */
export interface ListeningControl {
  readonly path: string;
  /** Ends every connection and removes the socket. */
  close(): Promise<void>;
}

/**
 * Makes the control API listen on a socket with mode 0600. The caller holds the lock of the private folder, so a
 * socket that is already there is what a killed daemon left; any other file is left alone and refused.
 */
export async function listenControl(server: Server, path: string, os: OsName): Promise<ListeningControl> {
  if (os !== 'win32') removeStale(path);
  // Closing deletes the name that was bound, whoever's file that is by then: only the temporary one is at stake.
  const bindPath = os === 'win32' ? path : temporaryPath(dirname(path));
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(cannotListen(path, systemCode(error) ?? error.message, error)));
    withTightUmask(() => server.listen({ path: bindPath }, resolve));
  });
  // Later errors concern single connections.
  server.on('error', () => {});
  const unpublish = os === 'win32' ? () => {} : publish(bindPath, path);
  return {
    path,
    close: () =>
      new Promise((resolve) => {
        unpublish();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Moves the bound socket into place; the returned function removes it, if it is still that one. */
function publish(bindPath: string, path: string): () => void {
  chmodSync(bindPath, 0o600);
  const status = lstatOf(bindPath);
  if (status === undefined) throw cannotListen(path, 'it was deleted while we were starting');
  renameSync(bindPath, path);
  return () => void removeIfStill(path, identityOf(status));
}

function removeStale(path: string): void {
  const status = lstatOf(path);
  if (status === undefined) return;
  if (!status.isSocket()) throw cannotListen(path, 'another kind of file stands there; move it away');
  removeIfStill(path, identityOf(status));
}

function cannotListen(path: string, problem: string, cause?: unknown): LocalError {
  return new LocalError(
    'FOOTBRIDGE_ENDPOINT_FOLDER',
    `The control socket ${path} cannot be used: ${problem}.`,
    cause === undefined ? undefined : { cause },
  );
}
