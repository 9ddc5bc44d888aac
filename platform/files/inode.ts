import { type BigIntStats, linkSync, lstatSync, renameSync, unlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { systemCode } from '../../src/base/local-error.ts';

/** Identity of a file. The birth time distinguishes a new file from a deleted file that had the same inode. */
export interface InodeIdentity {
  readonly dev: bigint;
  readonly ino: bigint;
  readonly birth: bigint;
}

/**
 * Calls `lstat` with exact numbers. Returns undefined for a path without a file, also below something that is no folder;
 * throws for other errors.
 */
export function lstatOf(path: string): BigIntStats | undefined {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false });
  } catch (error) {
    if (systemCode(error) === 'ENOTDIR') return undefined;
    throw error;
  }
}

/** Returns the identity of a file from its status. */
export function identityOf(status: BigIntStats): InodeIdentity {
  return { dev: status.dev, ino: status.ino, birth: status.birthtimeNs };
}

/** Whether the file at the path is that very file. Symbolic links are not followed. */
export function isStill(path: string, identity: InodeIdentity): boolean {
  const status = lstatOf(path);
  if (status === undefined) return false;
  const now = identityOf(status);
  return now.dev === identity.dev && now.ino === identity.ino && now.birth === identity.birth;
}

/** Pattern of temporary names of unpublished sockets. It never matches `discord-ipc-*`, for which clients search. */
export const TEMPORARY_NAME = /^\.fb[0-9a-f]{8}$/;

/**
 * Returns a new temporary path in the folder. The name needs no secure random numbers, because an attacker who guesses
 * it can only prevent its use; so `node:crypto` is not loaded at each start.
 */
export function temporaryPath(folder: string): string {
  const digits = Math.floor(Math.random() * 2 ** 32).toString(16);
  return join(folder, `.fb${digits.padStart(8, '0')}`);
}

/**
 * Removes the file at the path only if it is that very file; returns whether it did. The file is first renamed and then
 * checked again, because another program may replace it between a check and an `unlink`. A file that was renamed by
 * mistake is put back.
 */
export function removeIfStill(path: string, identity: InodeIdentity): boolean {
  if (!isStill(path, identity)) return false;
  const aside = temporaryPath(dirname(path));
  try {
    renameSync(path, aside);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return false;
    throw error;
  }
  if (isStill(aside, identity)) {
    unlinkSync(aside);
    return true;
  }
  moveIntoFree(aside, path);
  return false;
}

/** Moves a file to a path only if the path is free. Returns false, without moving the file, for a path in use. */
export function moveIntoFree(from: string, to: string): boolean {
  try {
    // `link` fails for an existing target, which `rename` would replace.
    linkSync(from, to);
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false;
    // A file system without hard links needs two steps, a check and a rename.
    if (lstatOf(to) !== undefined) return false;
    renameSync(from, to);
    return true;
  }
  unlinkSync(from);
  return true;
}
