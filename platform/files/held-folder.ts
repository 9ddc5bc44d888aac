import { type BigIntStats, closeSync, constants, existsSync, fstatSync, openSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { O_PATH } from '../endpoint/connect-directly.ts';
import { type InodeIdentity, identityOf, isStill, lstatOf } from './inode.ts';

/** A folder under a path that leads to it whatever replaces its name. */
export interface HeldFolder {
  /** Path of the folder; on Linux by a descriptor, so that it is valid until `close`. */
  readonly path: string;
  /** Whether the name still leads to the folder. */
  isThere(): boolean;
  /** May be called more than once. */
  close(): void;
}

/**
 * Holds a folder that a program in a sandbox may replace by a link to a file system of its own, at which every look by name
 * could wait for ever. Throws the error of the system for a link, another file and a missing folder. Systems other than
 * Linux have the name alone.
 */
export function holdFolder(folder: string): HeldFolder {
  if (process.platform !== 'linux') return { path: folder, isThere: () => true, close: () => {} };
  const fd = openSync(folder, O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  const identity: InodeIdentity = identityOf(fstatSync(fd, { bigint: true }));
  const direct = `/proc/self/fd/${fd}`;
  let isOpen = true;
  return {
    // Without proc(5) the name has to do.
    path: existsSync(direct) ? direct : folder,
    isThere: () => isStill(folder, identity),
    close() {
      if (isOpen) closeSync(fd);
      isOpen = false;
    },
  };
}

/** Calls `use` with a path of the folder that leads to it whatever replaces its name. Throws as {@link holdFolder} does. */
export function inFolder<T>(folder: string, use: (direct: string) => T): T {
  const held = holdFolder(folder);
  try {
    return use(held.path);
  } finally {
    held.close();
  }
}

/** Status of a file, undefined also where its folder is a link. */
export function statusIn(path: string): BigIntStats | undefined {
  try {
    return inFolder(dirname(path), (folder) => lstatOf(join(folder, basename(path))));
  } catch {
    return undefined;
  }
}
