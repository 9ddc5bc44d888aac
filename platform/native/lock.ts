import { closeSync, constants, fstatSync, ftruncateSync, openSync, renameSync, writeSync } from 'node:fs';
import { LocalError, systemCode } from '../../src/base/local-error.ts';
import { type InodeIdentity, identityOf, isStill, removeIfStill } from '../files/inode.ts';
import {
  claimPidFile,
  holderText,
  isHolderAlive,
  mayBeLockFile,
  readHolder,
  writeAside,
} from '../process/pid-file.ts';
import { systemErrorText } from '../system-error-text.ts';
import type { Native, NativeAbsence } from './native.ts';

/** A lock that this process holds until `release()`, which may be called more than once. */
export interface Lock {
  readonly kind: 'locked';
  /**
   * Whether the file at the path is still the one that is locked; after a deletion, the next holder creates another
   * file.
   */
  held(): boolean;
  release(): void;
}

/** A lock that another process holds, with its pid if the file contains one. */
export interface HeldLock {
  readonly kind: 'held';
  readonly heldBy: number | undefined;
}

/** The holder's pid as part of a message, such as ` (pid 7)`; nothing where the file does not contain it. */
export function pidText({ heldBy }: HeldLock): string {
  return heldBy === undefined ? '' : ` (pid ${heldBy})`;
}

/** Options of a lock. */
export interface LockOptions {
  /** Whether to displace a live holder, which continues to run without the lock. */
  readonly takeOver?: boolean;
  /**
   * Whether the folder may contain files of other programs: a file that no holder of a lock can have left is then
   * refused instead of replaced.
   */
  readonly onlyOurs?: boolean;
}

/**
 * Maximum number of attempts: the previous holder may delete the file between our open and our lock, and the lock is
 * then tried on the next file.
 */
const MAX_ATTEMPTS = 100;

/**
 * Acquires the lock file at `path`, in a folder to which no other user can write. With native calls the lock is an
 * `flock`, which the kernel frees when the holder dies. Without them it is a pid file, which is weaker: see
 * `claimPidFile`. Throws `LocalError` FOOTBRIDGE_LOCK when the file cannot be used at all.
 */
export async function acquireLock(
  path: string,
  native: Native | NativeAbsence,
  options: LockOptions = {},
): Promise<Lock | HeldLock> {
  try {
    if (options.takeOver === true) return replaceLock(path, native);
    if (options.onlyOurs === true && !mayBeLockFile(path)) throw foreignFile(path);
    if (native.kind === 'loaded') return lockByKernel(path, native);
    const claimed = await claimPidFile(path);
    return claimed.kind === 'locked' ? heldLock(path, claimed.identity) : claimed;
  } catch (error) {
    if (error instanceof LocalError) throw error;
    throw lockError(path, systemErrorText(error), error);
  }
}

function lockByKernel(path: string, native: Native): Lock | HeldLock {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    // Node opens every file close-on-exec, so no child inherits the lock.
    const fd = openSync(path, constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW, 0o600);
    let outcome: Lock | HeldLock | { kind: 'deleted' } = { kind: 'deleted' };
    try {
      outcome = tryKernelLock(path, fd, native);
    } finally {
      if (outcome.kind !== 'locked') closeSync(fd);
    }
    if (outcome.kind !== 'deleted') return outcome;
  }
  return { kind: 'held', heldBy: undefined };
}

function tryKernelLock(path: string, fd: number, native: Native): Lock | HeldLock | { kind: 'deleted' } {
  const status = fstatSync(fd, { bigint: true });
  if (!status.isFile()) throw lockError(path, 'it is not a regular file');
  if (!native.lockFile(fd)) return { kind: 'held', heldBy: readHolder(fd)?.pid };
  const identity = identityOf(status);
  if (!isStill(path, identity)) return { kind: 'deleted' };
  // A holder without native calls has no `flock`, only its process in the file.
  const holder = readHolder(fd);
  if (holder?.by === 'pid' && isHolderAlive(holder)) return { kind: 'held', heldBy: holder.pid };
  ftruncateSync(fd, 0);
  nameHolder(fd);
  return heldLock(path, identity, fd);
}

/**
 * Errors of a write for which there is no room: on the disk, in the user's quota, or below the maximum size of a file.
 */
const NO_ROOM = ['ENOSPC', 'EDQUOT', 'EFBIG'];

/** Writes the holder's pid into the file. The kernel holds the lock, so on a full disk only the pid is missing. */
function nameHolder(fd: number): void {
  try {
    writeSync(fd, holderText('flock'), 0);
  } catch (error) {
    if (!NO_ROOM.includes(systemCode(error) ?? '')) throw error;
  }
}

/**
 * Replaces the holder's lock file with a new file that this process has locked from the start; the holder's lock on the
 * old file then has no effect.
 */
function replaceLock(path: string, native: Native | NativeAbsence): Lock {
  const { aside, identity } = writeAside(path, native.kind === 'loaded' ? 'flock' : 'pid');
  if (native.kind === 'absent') {
    renameSync(aside, path);
    return heldLock(path, identity);
  }
  const fd = openSync(aside, constants.O_RDWR | constants.O_NOFOLLOW);
  native.lockFile(fd);
  renameSync(aside, path);
  return heldLock(path, identity, fd);
}

function heldLock(path: string, identity: InodeIdentity, fd?: number): Lock {
  let released = false;
  return {
    kind: 'locked',
    held: () => !released && isStill(path, identity),
    release() {
      if (released) return;
      released = true;
      try {
        // The file is removed while the lock is still held, so that a process that waits for this very file notices the
        // removal.
        removeIfStill(path, identity);
      } finally {
        if (fd !== undefined) closeSync(fd);
      }
    },
  };
}

/** Returns the error for another program's file; it does not advise to delete the file. */
function foreignFile(path: string): LocalError {
  return new LocalError(
    'FOOTBRIDGE_LOCK',
    `The lock file ${path} cannot be used: it holds something else, so another program has it. Use another folder.`,
  );
}

function lockError(path: string, problem: string, cause?: unknown): LocalError {
  return new LocalError(
    'FOOTBRIDGE_LOCK',
    `The lock file ${path} cannot be used: ${problem}. Make sure that its folder is ours and writable, ` +
      'or delete that file if nothing of ours runs.',
    { cause },
  );
}
