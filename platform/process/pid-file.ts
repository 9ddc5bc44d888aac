import {
  closeSync,
  constants,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { systemCode } from '../../src/base/local-error.ts';
import { type InodeIdentity, identityOf, lstatOf, moveIntoFree, temporaryPath } from '../files/inode.ts';
import { isAlive, startTicks } from './program.ts';

/** Content of a lock file: the kind of lock, the process that holds it, and the start time of that process. */
export interface Holder {
  readonly by: 'flock' | 'pid';
  readonly pid: number;
  readonly start?: string;
}

/** This process as a holder without native calls. */
export function thisHolder(): Holder {
  const start = startOf(process.pid);
  return { by: 'pid', pid: process.pid, ...(start === undefined ? {} : { start }) };
}

/** The text of a lock file that this process holds. */
export function holderText(by: Holder['by']): string {
  const { pid, start } = thisHolder();
  return `${[by, pid, start].join(' ').trimEnd()}\n`;
}

/** Reads an open lock file. Undefined for a file without a complete holder's text (yet). */
export function readHolder(fd: number): Holder | undefined {
  const buffer = Buffer.alloc(64);
  const text = buffer.toString('latin1', 0, readSync(fd, buffer, 0, buffer.length, 0));
  const match = /^(flock|pid) ([1-9]\d{0,9})(?: (\d{1,20}))?\n$/.exec(text);
  if (match === null) return undefined;
  const [, by, pid, start] = match;
  return {
    by: by === 'flock' ? 'flock' : 'pid',
    pid: Number(pid),
    ...(start === undefined ? {} : { start }),
  };
}

/**
 * Whether the path is free or its file can be a lock file, whole or cut off by a crash. Without this check, another
 * program's file of the same name would be taken for that of a dead holder.
 */
export function mayBeLockFile(path: string): boolean {
  const status = lstatOf(path);
  if (status?.isFile() !== true) return true;
  if (status.size > 64n) return false;
  const text = readFileSync(path, 'latin1');
  return /^(?:flock|pid) /.test(text) || /^\0*$/.test(text);
}

/** Whether the holder is still running; false when another process has its pid by now. */
export function isHolderAlive(holder: Holder): boolean {
  if (!isAlive(holder.pid)) return false;
  const start = startOf(holder.pid);
  return start === undefined || holder.start === undefined || start === holder.start;
}

/** Returns the running process that the lock file at a path names; undefined for a free lock. */
export function holderAt(path: string): number | undefined {
  const found = inspect(path);
  return found.kind === 'alive' ? found.pid : undefined;
}

/**
 * Returns the start time of a process. Without `/proc` only our own is known, which distinguishes a dead holder from
 * this process when both have the same pid.
 */
function startOf(pid: number): string | undefined {
  const ticks = startTicks(pid);
  if (ticks !== undefined || pid !== process.pid) return ticks;
  return String(Math.trunc(performance.timeOrigin));
}

/** Writes a complete lock file under a temporary name in the same folder, so that it appears whole or not at all. */
export function writeAside(path: string, by: Holder['by']): { aside: string; identity: InodeIdentity } {
  const aside = temporaryPath(dirname(path));
  writeFileSync(aside, holderText(by), { flag: 'wx', mode: 0o600 });
  return { aside, identity: identityOf(statSync(aside, { bigint: true })) };
}

const MAX_ATTEMPTS = 100;
const RETRY_MS = 20;

/**
 * Age above which a reclaim mark counts as left over (ms): its process died during the reclaim, which takes
 * microseconds.
 */
const DEAD_RECLAIM_MS = 10_000;

/**
 * Acquires a lock on a system without native calls: a file that exists while the lock is held. It is weaker than
 * `flock` in three ways: a holder that dies leaves the file, which the next holder has to reclaim; a holder in another
 * PID namespace looks dead; and without `/proc`, a holder whose pid was reused by a third process looks alive until the
 * file is deleted.
 */
export async function claimPidFile(
  path: string,
): Promise<{ kind: 'locked'; identity: InodeIdentity } | { kind: 'held'; heldBy: number | undefined }> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const { aside, identity } = writeAside(path, 'pid');
    if (moveIntoFree(aside, path)) return { kind: 'locked', identity };
    unlinkSync(aside);

    const found = inspect(path);
    if (found.kind === 'alive') return { kind: 'held', heldBy: found.pid };
    // An `flock` holder has created the file but not yet written its pid for a short time. So a file without a pid
    // counts as left by a dead holder only at the second check.
    if (found.kind === 'dead' || (found.kind === 'nameless' && attempt > 0)) reclaim(path);
    await delay(RETRY_MS * Math.random());
  }
  return { kind: 'held', heldBy: undefined };
}

/**
 * Deletes the file of a dead holder. Only one process at a time may do so, and it checks the holder again before.
 * Otherwise the second of two processes would delete the lock that the first has just acquired.
 */
function reclaim(path: string): void {
  const mark = `${path}.reclaim`;
  try {
    closeSync(openSync(mark, 'wx', 0o600));
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error;
    const made = lstatOf(mark)?.mtimeMs;
    if (made !== undefined && Date.now() - Number(made) > DEAD_RECLAIM_MS) rmSync(mark, { force: true });
    return;
  }
  try {
    const { kind } = inspect(path);
    if (kind === 'dead' || kind === 'nameless') rmSync(path, { force: true });
  } finally {
    rmSync(mark, { force: true });
  }
}

function inspect(path: string): { kind: 'alive'; pid: number } | { kind: 'dead' | 'nameless' | 'gone' } {
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return { kind: 'gone' };
    throw error;
  }
  try {
    const holder = readHolder(fd);
    if (holder === undefined) return { kind: 'nameless' };
    return isHolderAlive(holder) ? { kind: 'alive', pid: holder.pid } : { kind: 'dead' };
  } finally {
    closeSync(fd);
  }
}
