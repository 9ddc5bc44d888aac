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

/** Windows lacks both; its folders of one user have no links and no FIFOs. */
const CAREFUL = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
const FRESH = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | CAREFUL;

/** Errors of a folder that cannot be synced: Windows, and some file systems, which need no sync. */
const UNSYNCABLE = ['EACCES', 'EBADF', 'EINVAL', 'EISDIR', 'EPERM', 'ENOTSUP'];

/** End of the temporary name of new content. */
const TEMPORARY_END = '.new';

/** Options of a write. */
export interface WriteOptions {
  /** Default 0600: for its owner alone. */
  readonly mode?: number;
  /** No lock prevents other processes from writing it at the same time: the last one wins. */
  readonly unlocked?: boolean;
}

/**
 * Replaces a file as a whole: a reader meanwhile, and a start after a crash or a full disk, find the old content or the
 * new one. Missing folders above it are made, for their owner alone. The new content is first written next to it as
 * `.NAME.footbridge.new`, where the remains of an interrupted write are replaced and any other file is left alone.
 * Throws the system's error, with the old file unchanged.
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
      // The umask may have removed bits.
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

/** The same with mode 0600 for content that is large, or comes in parts: the write does not block the process. */
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

/** Makes durable the renames, creations and removals in a folder. Throws the system's error. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r').catch(unlessUnsyncable);
  try {
    await folder?.sync().catch(unlessUnsyncable);
  } finally {
    await folder?.close();
  }
}

/**
 * Makes a folder, and missing folders above it, with that mode. Step by step: Node's own function never ends for a
 * parent that permits no folders, such as `/proc`. Throws the system's error.
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

/**
 * Restricts a file of ours to its owner again: mode 0600. Only a regular file of this user is changed, and no link is
 * followed.
 */
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
 * Reason that a file or folder is not trusted to hold that user's decisions, as a clause that follows "because": its
 * owner is neither that user nor root, or every user may write to it. Undefined for a trusted one, and on a system
 * without user ids.
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
 * A free name for the new content, which no other program uses for its files. Without a lock it names the process that
 * writes; the remains of dead processes for the same file are removed, because no later write would replace them.
 */
function freeTemporary(path: string, unlocked: boolean): string {
  const folder = dirname(path);
  if (!unlocked) return freed(join(folder, `.${basename(path)}.footbridge${TEMPORARY_END}`));
  // Cut, so that a long name stays below the limit.
  const start = `.${basename(path).slice(0, 60)}.footbridge-`;
  for (const name of namesIn(folder)) {
    if (!name.startsWith(start) || !name.endsWith(TEMPORARY_END)) continue;
    const holder = holderNamed(name.slice(start.length, -TEMPORARY_END.length));
    if (holder !== undefined && !isHolderAlive(holder)) freed(join(folder, name));
  }
  return freed(join(folder, `${start}${holderName()}${TEMPORARY_END}`));
}

/** The path of new content, cleared: a file there was left by an interrupted write, or is a link. */
function freed(temporary: string): string {
  const left = lstatOf(temporary);
  const isOurs =
    left !== undefined && (process.getuid === undefined || Number(left.uid) === process.getuid());
  if (isOurs && (left.isFile() || left.isSymbolicLink())) unlinkSync(temporary);
  return temporary;
}

/** A folder that cannot be listed may still permit writes. */
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
    // The first failure is the one to report.
  }
}

/** By number alone: a system without birth times reports one that changes with our actions on the file. */
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
