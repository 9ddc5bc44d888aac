import { type BigIntStats, linkSync, lstatSync, renameSync, unlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { systemCode } from '../../src/base/local-error.ts';

/** Identity of the file at a path. The birth time distinguishes a new file from a deleted one with the same inode. */
export interface InodeIdentity {
  readonly dev: bigint;
  readonly ino: bigint;
  readonly birth: bigint;
}

/** `lstat` with exact numbers; undefined for a free path. Other errors are thrown. */
export function lstatOf(path: string): BigIntStats | undefined {
  return lstatSync(path, { bigint: true, throwIfNoEntry: false });
}

/** The identity of a file from its status. */
export function identityOf(status: BigIntStats): InodeIdentity {
  return { dev: status.dev, ino: status.ino, birth: status.birthtimeNs };
}

/** Whether the path leads to exactly that file. Symbolic links are not followed. */
export function isStill(path: string, identity: InodeIdentity): boolean {
  const status = lstatOf(path);
  if (status === undefined) return false;
  const now = identityOf(status);
  return now.dev === identity.dev && now.ino === identity.ino && now.birth === identity.birth;
}

/** Temporary names of unpublished sockets: never `discord-ipc-*`, which clients scan for. */
export const TEMPORARY_NAME = /^\.fb[0-9a-f]{8}$/;

/**
 * A fresh temporary path in the folder. It is no secret: an attacker who guesses it can only block our use of it. So it
 * is not worth loading `node:crypto` at each start.
 */
export function temporaryPath(folder: string): string {
  const digits = Math.floor(Math.random() * 2 ** 32).toString(16);
  return join(folder, `.fb${digits.padStart(8, '0')}`);
}

/**
 * Removes the path only if it is that very file; returns whether it did. The file is moved aside first and checked
 * again there, because between a check and an `unlink` another program's file may have replaced it. One that was moved
 * by mistake is put back.
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

/** Moves a file to a free path. False, with the file left where it is, for a path that is taken. */
export function moveIntoFree(from: string, to: string): boolean {
  try {
    // `link` refuses an existing target; `rename` would replace it.
    linkSync(from, to);
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false;
    // On a file system without hard links, the check and the rename are two steps.
    if (lstatOf(to) !== undefined) return false;
    renameSync(from, to);
    return true;
  }
  unlinkSync(from);
  return true;
}
