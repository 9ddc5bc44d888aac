import { closeSync, openSync } from 'node:fs';
import { basename, join } from 'node:path';
import { privateFolderIn } from '../files/private-folder.ts';
import { readHolder } from '../process/pid-file.ts';

/** Path of the lock file of a socket at a path that the user has chosen, in a private folder. */
export function pathLock(privateFolder: string, path: string): string {
  // The path itself, at most 107 bytes, in characters that a file name may have.
  return join(privateFolder, `${Buffer.from(path).toString('base64url')}.lock`);
}

/** The path of the socket whose lock file this is; a text without meaning for any other file. */
export function lockedPath(lock: string): string {
  return Buffer.from(basename(lock, '.lock'), 'base64url').toString();
}

/**
 * Pid in the lock file of such a socket, whose holder may have ended; undefined without a lock file. `endpointFolder` is
 * the folder beside which the private folder is.
 */
export function pathHolder(endpointFolder: string, uid: number, path: string): number | undefined {
  let fd: number;
  try {
    fd = openSync(pathLock(privateFolderIn(endpointFolder, uid), path), 'r');
  } catch {
    return undefined;
  }
  try {
    return readHolder(fd)?.pid;
  } finally {
    closeSync(fd);
  }
}
