import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { platform } from 'node:os';
import { Failure } from '../failure.ts';

/** Resident memory in bytes of all processes in a group. Throws {@link Failure}. */
export async function residentBytes(group: number | undefined): Promise<number> {
  const kib = group === undefined ? 0 : platform() === 'linux' ? fromProc(group) : await fromPs(group);
  if (kib > 0) return kib * 1024;
  throw new Failure('the memory of the target to be known', 'no process of it', 'prerequisite');
}

/** Whether a process of this group still runs; a zombie does not count. */
export function groupRuns(group: number): boolean {
  try {
    process.kill(-group, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
  return platform() !== 'linux' || [...members(group)].some(({ state }) => state !== 'Z' && state !== 'X');
}

function* members(group: number): Generator<{ readonly pid: string; readonly state: string }> {
  for (const pid of readdirSync('/proc')) {
    if (!/^\d+$/.test(pid)) continue;
    try {
      // The group is field 5 of stat; the name before it may contain blanks and brackets.
      const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
      const [state = '', , pgrp] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      if (Number(pgrp) === group) yield { pid, state };
    } catch {
      // The process ended meanwhile.
    }
  }
}

function fromProc(group: number): number {
  let kib = 0;
  for (const { pid } of members(group)) {
    try {
      kib += Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1] ?? 0);
    } catch {
      // The process ended meanwhile.
    }
  }
  return kib;
}

function fromPs(group: number): Promise<number> {
  return new Promise((resolve) => {
    execFile('ps', ['-A', '-o', 'pgid=,rss='], (error, stdout) => {
      if (error !== null) return resolve(0);
      const rows = stdout.split('\n').map((line) => line.trim().split(/\s+/).map(Number));
      return resolve(rows.reduce((sum, [pgid, rss]) => (pgid === group ? sum + (rss ?? 0) : sum), 0));
    });
  });
}
