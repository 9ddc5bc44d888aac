import { spawn } from 'node:child_process';
import type { Environment } from '../../../platform/endpoint/endpoints.ts';
import { type InsideView, viewInside } from '../../../platform/endpoint/inside.ts';
import { ownProgram } from '../../daemon/own-program.ts';
import { LOOK_INSIDE } from './look-inside.ts';

/** Time limit of one look (ms), and maximum size of its result (bytes). */
const LOOK_MS = 2000;
const MAX_BYTES = 1024 * 1024;

/** View of a process in a sandbox; `no answer` where the sandbox kept the look waiting. */
export type InsideAnswer = InsideView | 'no answer' | undefined;

/** Prints the result of `viewInside` as JSON. The program ends with it, whatever still waits. */
export async function printInside(pid: number, print: (text: string) => void): Promise<void> {
  print(JSON.stringify((await viewInside(pid, process.getuid?.())) ?? null));
}

/**
 * Calls `viewInside` in a process of its own. A process that hangs is killed and not waited for: in a system call that
 * the sandbox does not answer, it ends only with the sandbox.
 */
export function lookInside(
  pid: number,
  env: Environment,
  [program, ...args]: readonly [string, ...string[]] = ownProgram(),
): Promise<InsideAnswer> {
  return new Promise((resolve) => {
    const child = spawn(program, [...args, LOOK_INSIDE, String(pid)], {
      env,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    let text = '';
    const settle = (answer: InsideAnswer): void => {
      clearTimeout(timer);
      child.kill('SIGKILL');
      child.stdout.destroy();
      child.unref();
      resolve(answer);
    };
    const timer = setTimeout(() => settle('no answer'), LOOK_MS);
    child.stdout.setEncoding('utf8').on('data', (part: string) => {
      text += part;
      if (text.length > MAX_BYTES) settle('no answer');
    });
    child.stdout.once('end', () => settle(viewIn(text)));
    child.once('error', () => settle(undefined));
  });
}

/** The printed view; undefined for the output of a process that ended before. */
function viewIn(text: string): InsideView | undefined {
  try {
    return (JSON.parse(text) as InsideView | null) ?? undefined;
  } catch {
    return undefined;
  }
}
