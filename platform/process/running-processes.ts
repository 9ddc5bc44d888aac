import { closeSync, constants, fstatSync, openSync, readdirSync, readSync } from 'node:fs';
import { uptime } from 'node:os';
import { linkOf } from './proc-files.ts';
import { isZombie, startTicks } from './program.ts';

/** Program and arguments of a running process. */
export interface ProcessFacts {
  /** Path of the program as it was started, and of the file that the kernel runs. */
  readonly paths: readonly string[];
  /** Arguments, separated by spaces. */
  readonly arguments: string;
}

/** Processes of this user on this machine. */
export interface RunningProcesses {
  /** Every process, the newest first. */
  pids(): readonly number[];
  /** Undefined for a process of another user, and for one that has ended. */
  factsOf(pid: number): ProcessFacts | undefined;
  /** Start of a process that has not ended, by which it differs from a later one with the same pid, and its time (ms since 1970). */
  startOf(pid: number): { readonly mark: string; readonly at: number } | undefined;
}

/** Maximum size of a command line that is read (bytes): the main class of a Java program follows its long class path. */
const MAX_BYTES = 128 * 1024;
/** Ticks of the kernel in proc(5) for each second: USER_HZ, which is 100 on every system that Node supports. */
const TICKS_PER_SECOND = 100;

/** Finds the processes of a user in proc(5); undefined on other systems. */
export function runningProcesses(uid: number | undefined, proc = '/proc'): RunningProcesses | undefined {
  if (process.platform !== 'linux' || uid === undefined) return undefined;
  const buffer = Buffer.allocUnsafeSlow(MAX_BYTES);
  return {
    pids: () => pidsIn(proc),
    factsOf(pid) {
      const line = commandLine(`${proc}/${pid}/cmdline`, uid, buffer);
      if (line === undefined) return undefined;
      const [started = '', ...rest] = line.split('\0');
      const file = linkOf(`${proc}/${pid}/exe`)?.replace(/ \(deleted\)$/, '');
      const paths = [started, ...(file === undefined || file === started ? [] : [file])];
      return { paths, arguments: rest.join(' ').trimEnd() };
    },
    startOf(pid) {
      const mark = startTicks(pid, proc);
      if (mark === undefined || isZombie(pid, proc)) return undefined;
      const age = uptime() - Number(mark) / TICKS_PER_SECOND;
      return { mark, at: Math.round(Date.now() - Math.max(0, age) * 1000) };
    },
  };
}

function pidsIn(proc: string): readonly number[] {
  try {
    return readdirSync(proc)
      .flatMap((name) => (/^\d+$/.test(name) ? Number(name) : []))
      .reverse();
  } catch {
    // Out of descriptors, for example: the next look finds them.
    return [];
  }
}

/** Command line of a process of this user; undefined for kernel threads and for processes that have ended. */
function commandLine(path: string, uid: number, buffer: Buffer): string | undefined {
  let fd: number | undefined;
  try {
    fd = openSync(path, constants.O_RDONLY);
    if (fstatSync(fd).uid !== uid) return undefined;
    const size = readSync(fd, buffer, 0, buffer.length, null);
    return size === 0 ? undefined : buffer.toString('utf8', 0, size);
  } catch {
    return undefined;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}
