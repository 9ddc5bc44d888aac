import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cpus, release, totalmem, type } from 'node:os';

/** What the figures were measured on, and with. */
export interface Machine {
  readonly processor: string;
  readonly processors: number;
  readonly memoryGiB: number;
  readonly system: string;
  readonly node: string;
}

/** This machine. */
export function describeMachine(): Machine {
  return {
    processor: (cpus()[0]?.model ?? 'unknown').trim(),
    processors: cpus().length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    system: `${type()} ${release()}`,
    node: process.version,
  };
}

/** How processes are tied to processors; a reason where they cannot be. */
export interface Pinning {
  /** Processors that may be used, or why none can be chosen. */
  readonly cpus: readonly number[] | string;
}

/** Asks for `taskset`, and for the processors that this process may use. */
export function findPinning(): Pinning {
  if (spawnSync('taskset', ['--version'], { stdio: 'ignore' }).status !== 0)
    return { cpus: 'taskset (util-linux) is not there' };
  try {
    const [, list = ''] =
      /^Cpus_allowed_list:\s*(\S+)$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
    return { cpus: cpuList(list) };
  } catch {
    return { cpus: 'the system does not say which processors may be used' };
  }
}

/** The numbers of a list such as `0-2,5`. */
export function cpuList(text: string): number[] {
  return text.split(',').flatMap((part) => {
    const [first = 0, last = first] = part.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, n) => first + n);
  });
}

/** A command tied to one processor; as it is without one. */
export function pinned(command: readonly string[], cpu: number | undefined): readonly string[] {
  return cpu === undefined ? command : ['taskset', '-c', String(cpu), ...command];
}

/** The first line that a program prints about its version; undefined where it is not there. */
export function versionOf(program: string): string | undefined {
  try {
    return execFileSync(program, ['--version'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).split('\n')[0];
  } catch {
    return undefined;
  }
}
