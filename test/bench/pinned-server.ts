import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { findPinning, pinned } from './machine.ts';

/** A server in a process of its own. */
export interface PinnedServer {
  /** What it printed first. */
  readonly line: string;
  readonly pid: number;
  readonly end: () => Promise<void>;
}

/** Runs node with these arguments, on a processor of its own where there are several; `input` is its standard input. */
export async function startPinned(args: readonly string[], input = ''): Promise<PinnedServer> {
  const { cpus } = findPinning();
  const command = [process.execPath, ...args];
  const [program = '', ...rest] = pinned(command, typeof cpus === 'string' ? undefined : cpus[0]);
  const child = spawn(program, rest, { stdio: ['pipe', 'pipe', 'inherit'] });
  const killAtExit = (): void => void child.kill('SIGKILL');
  process.once('exit', killAtExit);
  const ended = once(child, 'exit');
  child.stdin.end(input);
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  const end = async (): Promise<void> => {
    process.off('exit', killAtExit);
    killAtExit();
    await ended;
  };
  return { line, pid: child.pid ?? 0, end };
}
