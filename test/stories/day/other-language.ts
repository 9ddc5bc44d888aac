// A library of another language: a program that reads calls as lines of JSON and answers each with one.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Player } from './day.ts';

type Parts = Readonly<Record<string, (...args: never[]) => Promise<unknown>>>;

interface Answer {
  readonly id?: number;
  readonly result?: unknown;
  readonly error?: string;
  /** What the library complained of by itself. */
  readonly fault?: string;
}

/** Starts the program; each of `steps` is a call. */
export function otherLanguage<All extends Parts>(
  command: readonly [program: string, ...args: string[]],
  steps: readonly (keyof All & string)[],
): Player<All> {
  const [program, ...args] = command;
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'] });
  const open = new Map<
    number,
    { readonly resolve: (value: unknown) => void; readonly reject: (error: Error) => void }
  >();
  const faults: string[] = [];
  let next = 0;
  createInterface(child.stdout).on('line', (line) => {
    const { id, result, error, fault } = JSON.parse(line) as Answer;
    if (fault !== undefined) faults.push(fault);
    const call = id === undefined ? undefined : open.get(id);
    if (error === undefined) call?.resolve(result);
    else call?.reject(new Error(error));
  });
  createInterface(child.stderr).on('line', (line) => faults.push(line));
  child.once('exit', (code) => {
    for (const { reject } of open.values()) reject(new Error(`it ended with ${code}: ${faults.join('\n')}`));
  });
  const call = (step: string, values: readonly unknown[]): Promise<unknown> =>
    new Promise((resolve, reject) => {
      next += 1;
      open.set(next, { resolve, reject });
      child.stdin.write(`${JSON.stringify({ id: next, step, args: values })}\n`);
    });
  const parts = Object.fromEntries(
    steps.map((step) => [step, (...values: readonly unknown[]) => call(step, values)]),
  );
  return {
    parts: parts as unknown as Partial<All>,
    faults: () => faults.splice(0),
    end: () => void child.kill('SIGKILL'),
  };
}
