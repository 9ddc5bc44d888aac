import { type BigIntStats, linkSync, lstatSync, renameSync, unlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { systemCode } from '../../src/base/local-error.ts';

/** Which file stands at a path. The birth time tells a new file from a deleted one whose number it was given. */
export interface InodeIdentity {
  readonly dev: bigint;
  readonly ino: bigint;
  readonly birth: bigint;
}

/** `lstat` with exact numbers; undefined when nothing stands there. Other errors are thrown. */
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

/** Our names for sockets that are not published: never `discord-ipc-*`, which clients scan for. */
export const TEMPORARY_NAME = /^\.fb[0-9a-f]{8}$/;

/**
 * A fresh temporary path in the folder. It is no secret: whoever guessed it could at most keep us from using it. So it is not
 * worth loading `node:crypto` at each start.
 */
export function temporaryPath(folder: string): string {
  const digits = Math.floor(Math.random() * 2 ** 32).toString(16);
  return join(folder, `.fb${digits.padStart(8, '0')}`);
}

/**
 * Removes the path only if it is that very file; says whether it did. The file is moved aside first and looked at
 * again there, because between a look and an `unlink` somebody else's file may have taken the path. One that was
 * moved by mistake is put back.
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

/** Moves a file to a path that nothing stands at. False, with the file left where it is, when something does. */
export function moveIntoFree(from: string, to: string): boolean {
  try {
    // `link` refuses an existing target; `rename` would replace it.
    linkSync(from, to);
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false;
    // A file system without hard links leaves the check and the rename as two steps.
    if (lstatOf(to) !== undefined) return false;
    renameSync(from, to);
    return true;
  }
  unlinkSync(from);
  return true;
}
