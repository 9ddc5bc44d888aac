import { join } from 'node:path';
import { checkEndpointFolder, ensurePrivateFolder } from '../../platform/files/private-folder.ts';
import { acquireLock, type Lock, pidText } from '../../platform/native/lock.ts';
import type { EndpointFolders, OperatingSystem } from '../../platform/operating-system.ts';
import { LocalError, systemCode } from '../base/local-error.ts';
import { controlPath } from '../control/address.ts';
import { type ListeningControl, listenControl } from '../control/listen.ts';
import type { BoundedHttpServer } from '../loopback/bounded-http-server.ts';

/** The lock on a folder that lets this process serve in it. */
export interface Instance {
  /**
   * Resolves to whether this process still holds the lock; a deleted lock file is created again. Throws as
   * `acquireLock` does.
   */
  renew(): Promise<boolean>;
  /** Releases the lock on the folder. */
  release(): void;
}

/**
 * Locks the folder for one bridge. A second bridge would only get the next index, which no app tries. Throws
 * `LocalError` FOOTBRIDGE_ENDPOINT_TAKEN when the folder is locked.
 */
export async function lockInstance(
  os: OperatingSystem,
  { folder, privateFolder }: EndpointFolders,
  force: boolean,
): Promise<Instance> {
  if (privateFolder === undefined) return { renew: () => Promise.resolve(true), release: () => {} };
  const path = join(privateFolder, 'daemon.lock');
  const first = await acquireLock(path, os.native, { takeOver: force });
  if (first.kind === 'held')
    throw alreadyRuns(`Another Footbridge${pidText(first)} already serves ${folder}.`);
  let lock: Lock | undefined = first;
  return {
    async renew() {
      if (lock === undefined || lock.held()) return lock !== undefined;
      if (os.uid !== undefined) {
        checkEndpointFolder(folder, os.uid);
        ensurePrivateFolder(folder, os.uid);
      }
      const again = await acquireLock(path, os.native);
      if (again.kind === 'held') return false;
      // The holder ended meanwhile.
      if (lock === undefined) {
        again.release();
        return false;
      }
      lock.release();
      lock = again;
      return true;
    },
    release() {
      lock?.release();
      lock = undefined;
    },
  };
}

/**
 * Serves the control API to this user only. Throws `LocalError` FOOTBRIDGE_ENDPOINT_TAKEN when another bridge serves
 * it.
 */
export async function listenPrivately(
  os: OperatingSystem,
  { privateFolder }: EndpointFolders,
  api: BoundedHttpServer,
): Promise<ListeningControl> {
  const path = controlPath({ os: os.name, uid: os.uid }, privateFolder);
  try {
    return await listenControl(api, path, os);
  } catch (error) {
    // Windows has no lock file; instead, only one process can own the pipe's name.
    const cause: unknown = error instanceof Error ? error.cause : undefined;
    if (os.name !== 'win32' || systemCode(cause) !== 'EADDRINUSE') throw error;
    throw alreadyRuns('Another Footbridge of yours already runs.');
  }
}

function alreadyRuns(problem: string): LocalError {
  return new LocalError(
    'FOOTBRIDGE_ENDPOINT_TAKEN',
    `${problem} "footbridge status" shows it; stop it first, or point XDG_RUNTIME_DIR at another folder.`,
  );
}
