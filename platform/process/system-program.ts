import { accessSync, constants, statSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import type { Environment } from '../endpoint/endpoints.ts';
import { ownerFault } from '../files/private-file.ts';

/** Folders that execvp(3) searches without PATH. */
const DEFAULT_PATH = '/usr/bin:/bin';

/**
 * Path of a program of the system: the first in PATH that no other user can have put there. A relative entry of PATH,
 * which depends on the working directory, a folder that every user may write to and the files of other users are
 * skipped. Undefined for a missing program.
 */
export function systemProgram(name: string, env: Environment, uid = process.getuid?.()): string | undefined {
  return (env['PATH'] ?? DEFAULT_PATH)
    .split(':')
    .filter(isAbsolute)
    .map((folder) => ({ folder, path: join(folder, name) }))
    .find(({ folder, path }) => isProgram(path, uid) && isTrusted(folder, uid))?.path;
}

function isProgram(path: string, uid: number | undefined): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile() && isTrusted(path, uid);
  } catch {
    return false;
  }
}

function isTrusted(path: string, uid: number | undefined): boolean {
  return ownerFault(statSync(path), uid) === undefined;
}
