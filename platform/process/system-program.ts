import { accessSync, constants, statSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import type { Environment } from '../endpoint/endpoints.ts';
import { ownerFault } from '../files/private-file.ts';

/** Folders that execvp(3) searches without PATH. */
const DEFAULT_PATH = '/usr/bin:/bin';

/**
 * Returns the path of a system program: the first match in PATH that no other user can have put there. It skips
 * relative entries of PATH, which depend on the working directory, folders to which every user may write, and files of
 * other users. Undefined for a missing program.
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
