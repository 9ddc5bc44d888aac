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

/**
 * Flags that refuse links and do not wait for FIFOs. Windows has neither flag; a user's own folders there contain no
 * links and no FIFOs.
 */
const CAREFUL = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
const FRESH = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | CAREFUL;

/** Errors of a sync that is not possible for a folder: on Windows, and on file systems that need no sync. */
const UNSYNCABLE = ['EACCES', 'EBADF', 'EINVAL', 'EISDIR', 'EPERM', 'ENOTSUP'];

/** Suffix of the temporary file with the new content. */
const TEMPORARY_END = '.new';

/** Options of a write. */
export interface WriteOptions {
  /** Mode of the file; 0600 by default, for its owner alone. */
  readonly mode?: number;
  /**
   * Whether other processes may write the file at the same time, because no lock prevents it; the last write then wins.
   */
  readonly unlocked?: boolean;
}

/**
 * Replaces a file as a whole: a concurrent reader, and a start after a crash or a full disk, find either the old
 * content or the new. Creates missing parent folders, for their owner alone. The new content is first written to
 * `.NAME.footbridge.new` next to the file. The remains of an interrupted write there are replaced; any other file there
 * is left unchanged. Throws the operating system's error; the old file is then unchanged.
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
      // The mode is set again, because the umask may have removed bits.
      fchmodSync(fd, mode);
      writeFileSync(fd, content);
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    renameOnto(temporary, made, path);
  } catch (error) {
    discard(temporary, made);
    throw error;
  }
  syncFolderAtOnce(dirname(path));
}

/**
 * Replaces a file like `writePrivateFile`, with mode 0600, for content that is large or arrives in parts: the write
 * does not block the process.
 */
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
    renameOnto(temporary, made, path);
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
 * Creates a folder with that mode, and missing parent folders. It creates them one by one, because Node's own recursive
 * function never ends for a parent in which no folder can be created, such as `/proc`. Throws the operating system's
 * error.
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
 * Restricts one of our files to its owner again (mode 0600). Changes only a regular file of this user, and follows no
 * link.
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
 * Returns the reason why a file or folder is not trusted to store that user's decisions, as a clause after "because":
 * its owner is neither that user nor root, or every user may write to it. Undefined for a trusted file, and on a system
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
 * Returns a temporary path for the new content, whose name no other program uses. For an unlocked write, the name
 * contains the writing process; leftover files of dead processes for the same target are removed, because no later
 * write would replace them.
 */
function freeTemporary(path: string, unlocked: boolean): string {
  const folder = dirname(path);
  if (!unlocked) return freed(join(folder, `.${basename(path)}.footbridge${TEMPORARY_END}`));
  // The name is shortened, so that the result stays below the maximum length of a file name.
  const start = `.${basename(path).slice(0, 60)}.footbridge-`;
  for (const name of namesIn(folder)) {
    if (!name.startsWith(start) || !name.endsWith(TEMPORARY_END)) continue;
    const holder = holderNamed(name.slice(start.length, -TEMPORARY_END.length));
    if (holder !== undefined && !isHolderAlive(holder)) freed(join(folder, name));
  }
  return freed(join(folder, `${start}${holderName()}${TEMPORARY_END}`));
}

/** Returns the temporary path after it has removed a leftover file or link of this user there. */
function freed(temporary: string): string {
  const left = lstatOf(temporary);
  const isOurs =
    left !== undefined && (process.getuid === undefined || Number(left.uid) === process.getuid());
  if (isOurs && (left.isFile() || left.isSymbolicLink())) unlinkSync(temporary);
  return temporary;
}

/** Returns the names in a folder; none for a folder that cannot be listed, which may still permit writes. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function renameOnto(temporary: string, made: BigIntStats, path: string): void {
  if (!isStillThere(temporary, made)) throw new Error(`another program replaced ${temporary} meanwhile`);
  renameSync(temporary, path);
}

function discard(temporary: string, made: BigIntStats): void {
  try {
    if (isStillThere(temporary, made)) unlinkSync(temporary);
  } catch {
    // The failure of the write is the one to report, so this one is ignored.
  }
}

/**
 * Whether the file at the path is that very file, by inode number alone: a system without birth times reports one that
 * changes when we change the file.
 */
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
