import type { Server as HttpServer } from 'node:http';
import { join } from 'node:path';
import { LocalError, systemCode } from '../../../platform/local-error.ts';
import { acquireLock } from '../../../platform/lock.ts';
import type { EndpointFolders, OperatingSystem } from '../../../platform/operating-system.ts';
import { controlPath } from '../../control/address.ts';
import { type ListeningControl, listenControl } from '../../control/listen.ts';

/**
 * One bridge for a folder: a second one would only take the next index, where no app looks. Resolves to what frees the folder.
 * Throws `LocalError` FOOTBRIDGE_ENDPOINT_TAKEN.
 */
export async function lockInstance(
  os: OperatingSystem,
  { folder, privateFolder }: EndpointFolders,
  force: boolean,
): Promise<() => void> {
  if (privateFolder === undefined) return () => {};
  const lock = await acquireLock(join(privateFolder, 'daemon.lock'), os.native, { takeOver: force });
  if (lock.kind === 'locked') return () => lock.release();
  const who = lock.heldBy === undefined ? '' : ` (pid ${lock.heldBy})`;
  throw alreadyRuns(`Another Footbridge${who} already serves ${folder}.`);
}

/** Serves the control API where only this user gets in. Throws `LocalError` FOOTBRIDGE_ENDPOINT_TAKEN. */
export async function listenPrivately(
  os: OperatingSystem,
  { privateFolder }: EndpointFolders,
  api: HttpServer,
): Promise<ListeningControl> {
  const path = controlPath({ os: os.name, uid: os.uid }, privateFolder);
  try {
    return await listenControl(api, path, os.name);
  } catch (error) {
    // On Windows there is no lock, and the pipe's name is what only one can have.
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
