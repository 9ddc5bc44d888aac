import { type ChildProcess, spawn } from 'node:child_process';
import { platform } from 'node:os';
import { formatText } from '../format.ts';
import { groupRuns } from './group.ts';
import { type ShellCommand, shellCommand } from './shell.ts';

/** Exit of a process. */
export type Exit =
  | { readonly kind: 'code'; readonly code: number }
  | { readonly kind: 'signal'; readonly signal: string };

/** Command that the suite started, in its own process group. */
export interface Process {
  readonly pid: number | undefined;
  /** Exit, or undefined while the process runs. */
  readonly exit: Exit | undefined;
  /** Resolves once the command and all processes that its shell started have ended. */
  readonly ended: Promise<Exit>;
  /**
   * Sends a signal to the command as a service manager would. The signal never goes only to a shell, which would not
   * forward it.
   */
  signal(name: 'SIGTERM' | 'SIGINT'): void;
  /** Kills the command and every process that it started. */
  kill(): Promise<void>;
  /** Calls the listener with each line of standard output. */
  onLine(listener: (line: string) => void): void;
  /** Last lines of output, for reports. */
  lastOutput(): string;
}

const MAX_LINE = 64 * 1024;
const MAX_OUTPUT_LENGTH = 4096;

/** Poll interval for the end of a shell's group (ms). */
const POLL_MS = 20;

/**
 * Time for the remaining output of an ended command (ms): a process that the command left behind may keep the pipes
 * open.
 */
const OUTPUT_MS = 500;

/**
 * Runs `command` in a shell, after the shell text `prefix`. Never throws: a command that cannot start ends with code
 * 127 or 126.
 */
export function startProcess(
  command: string,
  env: Readonly<Record<string, string | undefined>>,
  prefix = '',
): Process {
  const isWindows = platform() === 'win32';
  const { text, signals } = shellCommand(command, prefix);
  const child = spawn(text, {
    shell: true,
    detached: !isWindows,
    env: { ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return new ShellProcess(child, signals);
}

class ShellProcess implements Process {
  readonly ended: Promise<Exit>;
  exit: Exit | undefined;
  readonly #child: ChildProcess;
  readonly #signals: ShellCommand['signals'];
  #output = '';
  #line = '';
  #listener: ((line: string) => void) | undefined;
  readonly #early: string[] = [];

  constructor(child: ChildProcess, signals: ShellCommand['signals']) {
    this.#child = child;
    this.#signals = signals;
    this.ended = new Promise((resolve) => {
      const settle = (exit: Exit) => {
        this.exit ??= exit;
        resolve(this.exit);
      };
      child.once('error', () => settle({ kind: 'code', code: 127 }));
      const output = new Promise<void>((done) => child.once('close', () => done()));
      child.once('exit', (code, signal) => {
        const exit: Exit = signal === null ? { kind: 'code', code: code ?? 0 } : { kind: 'signal', signal };
        // The output is read to its end before the exit is reported, because its last lines explain the exit.
        void Promise.all([this.#restEnded(), orAfter(output, OUTPUT_MS)]).then(() => settle(exit));
      });
    });
    child.stdout?.on('data', (chunk: Buffer) => {
      this.#remember(chunk);
      this.#readLines(chunk);
    });
    child.stderr?.on('data', (chunk: Buffer) => this.#remember(chunk));
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  #remember(chunk: Buffer): void {
    this.#output = (this.#output + chunk.subarray(-MAX_OUTPUT_LENGTH).toString('utf8')).slice(
      -MAX_OUTPUT_LENGTH,
    );
  }

  #readLines(chunk: Buffer): void {
    if (this.#line.length > MAX_LINE) return;
    const parts = (this.#line + chunk.toString('utf8')).split('\n');
    this.#line = parts.pop() ?? '';
    for (const line of parts) {
      if (this.#listener !== undefined) this.#listener(line);
      else if (this.#early.length < 64) this.#early.push(line);
    }
  }

  onLine(listener: (line: string) => void): void {
    this.#listener = listener;
    for (const line of this.#early.splice(0)) listener(line);
  }

  /** Resolves once every process of a shell that runs operators has ended. */
  async #restEnded(): Promise<void> {
    const { pid } = this.#child;
    if (this.#signals === 'process' || pid === undefined) return;
    while (groupRuns(pid)) await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }

  signal(name: 'SIGTERM' | 'SIGINT'): void {
    if (this.#signals === 'group') this.#signalGroup(name);
    else this.#child.kill(name);
  }

  #signalGroup(name: NodeJS.Signals): void {
    const { pid } = this.#child;
    if (pid === undefined) return;
    try {
      process.kill(-pid, name);
    } catch {
      // Already ended.
    }
  }

  async kill(): Promise<void> {
    if (this.#child.pid === undefined) return;
    // The signal goes to the whole group, because a shell or package runner may be the parent of the server.
    if (platform() === 'win32') this.#child.kill('SIGKILL');
    else this.#signalGroup('SIGKILL');
    await this.ended;
  }

  lastOutput(): string {
    // Lines of a stack trace are dropped: they do not help the reader of a report, but the line before them does.
    const lines = this.#output.split('\n').filter((line) => !/^\s*(at .*|Node\.js v.*)?$/.test(line));
    return formatText(lines.slice(-2).join(' | '), 240);
  }
}

/** Runs a command until its end or a timeout. `exit` is its exit code, or undefined if it has none. */
export async function runHook(
  command: string,
  env: Readonly<Record<string, string | undefined>>,
  ms: number,
): Promise<{ readonly exit: number | undefined; readonly output: string }> {
  const hook = startProcess(command, env);
  const timer = setTimeout(() => void hook.kill(), ms);
  const exit = await hook.ended;
  clearTimeout(timer);
  const output = hook.lastOutput() || formatExit(exit);
  return { exit: exit.kind === 'code' ? exit.code : undefined, output };
}

async function orAfter(work: Promise<void>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work, late]);
  clearTimeout(timer);
}

/** Outcome of a command with its last lines of output. */
export function withLastOutput(how: string, output: string): string {
  return output === '' ? `${how}, and it wrote nothing` : `${how}: ${output}`;
}

/** Text for an exit. */
export function formatExit(exit: Exit): string {
  return exit.kind === 'code' ? `exit code ${exit.code}` : `signal ${exit.signal}`;
}
