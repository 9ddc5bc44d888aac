import { chmodSync } from 'node:fs';
import type { Server } from 'node:http';
import type { OsName } from '../../platform/endpoints.ts';
import { identityOf, lstatOf, removeIfStill } from '../../platform/inode.ts';
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
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(cannotListen(path, systemCode(error) ?? error.message, error)));
    withTightUmask(() => server.listen({ path }, resolve));
  });
  // Later errors concern single connections.
  server.on('error', () => {});
  if (os !== 'win32') chmodSync(path, 0o600);
  return {
    path,
    close: () =>
      new Promise((resolve) => {
        // Closing removes the socket's file.
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
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
