import { readFileSync, readlinkSync } from 'node:fs';
import { printable } from '../../src/base/text.ts';

/** A process's own description. Every field but `pid` is a hint: a program may replace itself after connecting. */
export interface Program {
  readonly pid: number;
  /** The executable's path, where we may read it. */
  readonly exe?: string;
  /** The kernel's short name of the process, at most 15 bytes, chosen by the process itself. */
  readonly name?: string;
}

/** Maximum length of a chain of parents; a longer one counts as endless. */
const MAX_ANCESTORS = 256;

/** Finds a process in `/proc`. Undefined for a missing process, and on systems without `/proc`. */
export function programOf(pid: number): Program | undefined {
  const name = readText(pid, 'comm');
  if (name === undefined) return undefined;
  const exe = readExe(pid);
  return { pid, name: printable(name.trimEnd()), ...(exe === undefined ? {} : { exe: printable(exe) }) };
}

/** One phrase for messages: `name (pid 12, /usr/bin/name)`. */
export function describeProgram(program: Program): string {
  const details = [`pid ${program.pid}`, ...(program.exe === undefined ? [] : [program.exe])].join(', ');
  return program.name === undefined ? `a program (${details})` : `${program.name} (${details})`;
}

/**
 * Whether `ancestorPid` is a parent of `pid` at any distance. False where the system cannot answer, and for a process
 * and itself.
 */
export function isDescendant(pid: number, ancestorPid: number): boolean {
  return ancestorsOf(pid).includes(ancestorPid);
}

/** The parent of a process, its parent, and so on. Empty where the system cannot answer. */
export function ancestorsOf(pid: number): readonly number[] {
  const found: number[] = [];
  let current = pid;
  while (found.length < MAX_ANCESTORS) {
    const parent = Number(statFields(current)?.[1]);
    if (!Number.isInteger(parent) || parent <= 0) break;
    found.push(parent);
    current = parent;
  }
  return found;
}

/**
 * Start time of the process, in kernel ticks since boot: with the pid it distinguishes a process from a later one with
 * the same number. Undefined without `/proc`.
 */
export function startTicks(pid: number): string | undefined {
  return statFields(pid)?.[19];
}

/**
 * Whether the process was stopped by a signal and waits for a signal to continue; false where the system cannot answer.
 */
export function isStopped(pid: number): boolean {
  return statFields(pid)?.[0] === 'T';
}

/** Whether a process of that number exists, of any owner. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: the process exists and is not ours to signal.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** The fields of proc(5) `stat` from `state` on. The name before it may hold spaces and parentheses. */
function statFields(pid: number): string[] | undefined {
  const text = readText(pid, 'stat');
  return text?.slice(text.lastIndexOf(')') + 2).split(' ');
}

function readText(pid: number, file: 'comm' | 'stat'): string | undefined {
  if (process.platform !== 'linux' || !Number.isSafeInteger(pid) || pid <= 0) return undefined;
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
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
