import {
  type BigIntStats,
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  type Stats,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { open, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { systemCode } from '../../src/base/local-error.ts';
import { isTrustedOwner } from '../endpoint/endpoints.ts';
import { holderName, holderNamed } from '../process/holder-name.ts';
import { isHolderAlive } from '../process/pid-file.ts';
import { lstatOf } from './inode.ts';

/** Windows lacks both; its folders of one user have no links and no FIFOs in them. */
const CAREFUL = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
const FRESH = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | CAREFUL;

/** What a folder fails with where it cannot be synced: Windows, and some file systems, which need no help. */
const UNSYNCABLE = ['EACCES', 'EBADF', 'EINVAL', 'EISDIR', 'EPERM', 'ENOTSUP'];

/** How the name of new content ends that is not in place yet. */
const TEMPORARY_END = '.new';

/** How a file is written. */
export interface WriteOptions {
  /** Default 0600: for its owner alone. */
  readonly mode?: number;
  /** No lock keeps other processes from writing it at the same time: the last one wins. */
  readonly unlocked?: boolean;
}

/**
 * Replaces a file as a whole: whoever reads it meanwhile, and whoever starts after a crash or a full disk, finds the old
 * content or the new one. Missing folders above it are made, for their owner alone. The new content first stands beside it
 * as `.NAME.footbridge.new`, where what an interrupted write left is replaced and anything else is left alone. Throws the
 * system's error, with the old file in place.
 */
export function writePrivateFile(
  path: string,
  content: string | Uint8Array,
  { mode = 0o600, unlocked = false }: WriteOptions = {},
): void {
  makeFolder(dirname(path));
  const temporary = freeTemporary(path, unlocked);
  const fd = openSync(temporary, FRESH, mode);
  const made = fstatSync(fd, { bigint: true });
  try {
    try {
      // The umask may have taken bits away.
      fchmodSync(fd, mode);
      writeFileSync(fd, content);
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    moveIntoPlace(temporary, made, path);
  } catch (error) {
    discard(temporary, made);
    throw error;
  }
  syncFolderAtOnce(dirname(path));
}

/** The same with mode 0600 for content that is large, or comes in parts: nobody waits while it is written. */
export async function writeLargePrivateFile(
  path: string,
  content: string | Uint8Array | AsyncIterable<string>,
  { unlocked = false }: Pick<WriteOptions, 'unlocked'> = {},
): Promise<void> {
  makeFolder(dirname(path));
  const temporary = freeTemporary(path, unlocked);
  const file = await open(temporary, FRESH, 0o600);
  const made = await file.stat({ bigint: true });
  try {
    try {
      await file.chmod(0o600);
      await writeFile(file, content);
      await file.sync();
    } finally {
      await file.close();
    }
    moveIntoPlace(temporary, made, path);
  } catch (error) {
    discard(temporary, made);
    throw error;
  }
  await syncFolder(dirname(path));
}

/** Makes durable what was renamed, made or removed in a folder. Throws the system's error. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r').catch(unlessUnsyncable);
  try {
    await folder?.sync().catch(unlessUnsyncable);
  } finally {
    await folder?.close();
  }
}

/**
 * Makes a folder, and those above it that are missing, with that mode. Step by step: Node's own way never ends where a
 * folder can have none in it, as in `/proc`. Throws the system's error.
 */
export function makeFolder(path: string, mode = 0o700): void {
  for (let missing = true; ; missing = false) {
    try {
      mkdirSync(path, { mode });
      return;
    } catch (error) {
      if (isFolder(path)) return;
      if (!missing || systemCode(error) !== 'ENOENT' || dirname(path) === path) throw error;
      makeFolder(dirname(path), mode);
    }
  }
}

/** Takes a file of ours back from other users: mode 0600. Only a regular file of this user's is touched, and no link followed. */
export function tightenFile(path: string): void {
  const fd = openSync(path, constants.O_RDONLY | CAREFUL);
  try {
    const status = fstatSync(fd);
    if (status.isFile() && status.uid === process.getuid?.()) fchmodSync(fd, 0o600);
  } finally {
    closeSync(fd);
  }
}

/**
 * Why a file or folder is not trusted to hold what that user decided, as words that follow "because": another user than they
 * and root owns it, or everybody may write to it. Undefined where it is trusted, and where the system has no such numbers.
 */
export function ownerFault(
  { uid, mode }: Pick<Stats, 'uid' | 'mode'>,
  owner: number | undefined,
): string | undefined {
  if (owner === undefined) return undefined;
  if (!isTrustedOwner(uid, owner)) return `it belongs to another user (uid ${uid})`;
  return (mode & 0o002) === 0 ? undefined : 'every user may write to it';
}

/**
 * A free name for the new content, which nobody gives a file of theirs. Without a lock it says which process writes; what dead
 * processes left of the same file is removed, because no later write would take its place.
 */
function freeTemporary(path: string, unlocked: boolean): string {
  const folder = dirname(path);
  if (!unlocked) return freed(join(folder, `.${basename(path)}.footbridge${TEMPORARY_END}`));
  // Cut, so that a long name does not become too long.
  const start = `.${basename(path).slice(0, 60)}.footbridge-`;
  for (const name of namesIn(folder)) {
    if (!name.startsWith(start) || !name.endsWith(TEMPORARY_END)) continue;
    const holder = holderNamed(name.slice(start.length, -TEMPORARY_END.length));
    if (holder !== undefined && !isHolderAlive(holder)) freed(join(folder, name));
  }
  return freed(join(folder, `${start}${holderName()}${TEMPORARY_END}`));
}

/** The path of new content, free: what stood there was left by a write that was interrupted, or its link. */
function freed(temporary: string): string {
  const left = lstatOf(temporary);
  const isOurs =
    left !== undefined && (process.getuid === undefined || Number(left.uid) === process.getuid());
  if (isOurs && (left.isFile() || left.isSymbolicLink())) unlinkSync(temporary);
  return temporary;
}

/** A folder that cannot be listed may still be one to write in. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function moveIntoPlace(temporary: string, made: BigIntStats, path: string): void {
  if (!isStillThere(temporary, made)) throw new Error(`another program replaced ${temporary} meanwhile`);
  renameSync(temporary, path);
}

function discard(temporary: string, made: BigIntStats): void {
  try {
    if (isStillThere(temporary, made)) unlinkSync(temporary);
  } catch {
    // The failure that brought us here is the one to tell.
  }
}

/** By number alone: the birth time, where there is none, changes with what we do to the file. */
function isStillThere(path: string, { dev, ino }: BigIntStats): boolean {
  const now = lstatOf(path);
  return now?.dev === dev && now.ino === ino;
}

function syncFolderAtOnce(path: string): void {
  let fd: number | undefined;
  try {
    fd = openSync(path, 'r');
    fsyncSync(fd);
  } catch (error) {
    unlessUnsyncable(error);
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

function unlessUnsyncable(error: unknown): undefined {
  if (!UNSYNCABLE.includes(systemCode(error) ?? '')) throw error;
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
