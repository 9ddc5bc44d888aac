import { readdirSync, readFileSync } from 'node:fs';

/** Processor time of all living threads of a process so far, in ms. NaN where the system has no /proc. */
export function processorMs(pid: number): number {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    // The first number of a thread's schedstat is the nanoseconds it has run.
    const ran = threads.map((id) => parseInt(readFileSync(`/proc/${pid}/task/${id}/schedstat`, 'utf8'), 10));
    return ran.reduce((sum, nanoseconds) => sum + nanoseconds, 0) / 1e6;
  } catch {
    return Number.NaN;
  }
}

/** What a process has in memory, in bytes. NaN where the system has no /proc. */
export function residentBytes(pid: number): number {
  return bytesSaid(pid, /^VmRSS:\s+(\d+) kB$/m);
}

/** The most that it had at any time. */
export function mostResidentBytes(pid: number): number {
  return bytesSaid(pid, /^VmHWM:\s+(\d+) kB$/m);
}

function bytesSaid(pid: number, line: RegExp): number {
  try {
    const [, kibibytes] = line.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(kibibytes) * 1024;
  } catch {
    return Number.NaN;
  }
}
