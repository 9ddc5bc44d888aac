import { readFileSync, readlinkSync } from 'node:fs';
import { printable } from '../../src/base/text.ts';
import { programName } from './program-name.ts';

/**
 * Description of a process. Every field except `pid` is a hint, because a program may replace itself after it has
 * connected.
 */
export interface Program {
  readonly pid: number;
  /** Path of the executable, when we may read it. */
  readonly exe?: string;
  /**
   * Name of the executable, and the script of an interpreter: `node app.mjs`. Without permission to read the
   * executable the short name of the process in the kernel. The process itself can choose each of these.
   */
  readonly name?: string;
}

/** Maximum number of ancestors of a process that are read. */
const MAX_ANCESTORS = 256;

/** Folder of proc(5); tests pass another one. */
const PROC = '/proc';

/** Maximum number of stored programs. */
const MAX_STORED = 256;

/** Programs by pid. A process that runs another executable is looked up again. */
const stored = new Map<
  number,
  { readonly start: string; readonly path: string; readonly program: Program }
>();

/**
 * Finds a process in `/proc`, whose arguments are read once. Undefined for a missing process, and on systems without
 * `/proc`.
 */
export function programOf(pid: number): Program | undefined {
  const start = startTicks(pid);
  if (start === undefined) return undefined;
  const path = readExe(pid);
  if (path === undefined) {
    const name = readText(pid, 'comm');
    return { pid, ...(name === undefined ? {} : { name: printable(name.trimEnd()) }) };
  }
  const found = stored.get(pid);
  if (found?.start === start && found.path === path) return found.program;
  const exe = path.replace(/ \(deleted\)$/, '');
  const program = { pid, exe: printable(exe), name: programName(pid, exe) };
  stored.delete(pid);
  stored.set(pid, { start, path, program });
  const [oldest] = stored.keys();
  if (stored.size > MAX_STORED && oldest !== undefined) stored.delete(oldest);
  return program;
}

/** Name and executable of a process, for a record of who did something: `node app.mjs, /usr/bin/node`. */
export function programText(pid: number): string | undefined {
  const { name, exe } = programOf(pid) ?? {};
  return name === undefined ? undefined : [name, ...(exe === undefined ? [] : [exe])].join(', ');
}

/** Returns one phrase for messages: `name (pid 12, /usr/bin/name)`. */
export function describeProgram(program: Program): string {
  const details = [`pid ${program.pid}`, ...(program.exe === undefined ? [] : [program.exe])].join(', ');
  return program.name === undefined ? `a program (${details})` : `${program.name} (${details})`;
}

/**
 * Whether `ancestorPid` is an ancestor of `pid`, or the chain of ancestors is too long to tell. False when the system
 * does not report parents, and for a process and itself.
 */
export function isDescendant(pid: number, ancestorPid: number): boolean {
  const ancestors = ancestorsOf(pid);
  return ancestors.includes(ancestorPid) || ancestors.length === MAX_ANCESTORS;
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

/** Whether the process has ended and waits for its parent to read how; false when the system does not report this. */
export function isZombie(pid: number, proc = PROC): boolean {
  return statFields(pid, proc)?.[0] === 'Z';
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
    return readlinkSync(`${PROC}/${pid}/exe`);
  } catch {
    return undefined;
  }
}
