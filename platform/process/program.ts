import { readFileSync, readlinkSync } from 'node:fs';
import { printable } from '../../src/base/text.ts';

/**
 * Description of a process. Every field except `pid` is a hint, because a program may replace itself after it has
 * connected.
 */
export interface Program {
  readonly pid: number;
  /** Path of the executable, when we may read it. */
  readonly exe?: string;
  /** Short name of the process in the kernel, at most 15 bytes; the process itself can change it. */
  readonly name?: string;
}

/** Maximum number of ancestors of a process; a longer chain counts as endless. */
const MAX_ANCESTORS = 256;

/** Folder of proc(5); tests pass another one. */
const PROC = '/proc';

/** Finds a process in `/proc`. Undefined for a missing process, and on systems without `/proc`. */
export function programOf(pid: number): Program | undefined {
  const name = readText(pid, 'comm');
  if (name === undefined) return undefined;
  const exe = readExe(pid);
  return { pid, name: printable(name.trimEnd()), ...(exe === undefined ? {} : { exe: printable(exe) }) };
}

/** Returns one phrase for messages: `name (pid 12, /usr/bin/name)`. */
export function describeProgram(program: Program): string {
  const details = [`pid ${program.pid}`, ...(program.exe === undefined ? [] : [program.exe])].join(', ');
  return program.name === undefined ? `a program (${details})` : `${program.name} (${details})`;
}

/**
 * Whether `ancestorPid` is an ancestor of `pid`. False when the system does not report parents, and for a process and
 * itself.
 */
export function isDescendant(pid: number, ancestorPid: number): boolean {
  return ancestorsOf(pid).includes(ancestorPid);
}

/**
 * Returns the parent of a process, the parent of that process, and so on. Empty when the system does not report
 * parents.
 */
export function ancestorsOf(pid: number, proc = PROC): readonly number[] {
  const found: number[] = [];
  let current = pid;
  while (found.length < MAX_ANCESTORS) {
    const parent = Number(statFields(current, proc)?.[1]);
    if (!Number.isInteger(parent) || parent <= 0) break;
    found.push(parent);
    current = parent;
  }
  return found;
}

/**
 * Start time of a process in kernel ticks since boot. Together with the pid it distinguishes a process from a later one
 * with the same pid. Undefined without `/proc`.
 */
export function startTicks(pid: number, proc = PROC): string | undefined {
  return statFields(pid, proc)?.[19];
}

/**
 * Whether a signal has stopped the process, which waits for a signal to continue; false when the system does not report
 * this.
 */
export function isStopped(pid: number): boolean {
  return statFields(pid)?.[0] === 'T';
}

/** Whether a process with this pid exists, of any user. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM means that the process exists but belongs to another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Returns the fields of proc(5) `stat` from `state` on. The name before them may contain spaces and parentheses. */
function statFields(pid: number, proc = PROC): string[] | undefined {
  const text = readText(pid, 'stat', proc);
  return text?.slice(text.lastIndexOf(')') + 2).split(' ');
}

function readText(pid: number, file: 'comm' | 'stat', proc = PROC): string | undefined {
  if (process.platform !== 'linux' || !Number.isSafeInteger(pid) || pid <= 0) return undefined;
  try {
    return readFileSync(`${proc}/${pid}/${file}`, 'utf8');
  } catch {
    return undefined;
  }
}

function readExe(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/exe`);
  } catch {
    return undefined;
  }
}
