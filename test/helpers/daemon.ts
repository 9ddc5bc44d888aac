import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { NODE_FLAGS } from '../../src/cli/service/program.ts';

/** The built command, as `npm start` runs it. */
const PROGRAM = fileURLToPath(new URL('../../dist/footbridge.js', import.meta.url));
/** For the ready line, and for the end after SIGTERM: far beyond what either takes on a busy machine (ms). */
const PATIENCE_MS = 30_000;

/** What `run --json` prints once everything listens. */
interface ReadyLine {
  readonly ready: true;
  readonly version: string;
  readonly pid: number;
  readonly endpoints: readonly { readonly kind: string; readonly path: string }[];
  /** Base URL of the token endpoint. */
  readonly api: string;
  /** Path of the control socket. */
  readonly control: string;
  readonly user: { readonly id: string };
  readonly guilds: readonly string[];
  readonly channels: { readonly text: readonly string[]; readonly voice: readonly string[] };
}

/** A private place to run in: sockets, home, configuration and data all inside one temporary folder. */
export interface Runtime {
  readonly folder: string;
  /** The whole environment of the daemon and of the apps that shall find it; nothing else is inherited. */
  readonly env: Readonly<Record<string, string>>;
  remove(): void;
}

/** How a program ended, and everything it wrote. */
interface Ended {
  /** Null when a signal ended it. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A running daemon. */
export interface Daemon {
  readonly ready: ReadyLine;
  readonly env: Readonly<Record<string, string>>;
  readonly folder: string;
  readonly pid: number;
  /** Path of its IPC endpoint. */
  readonly endpoint: string;
  /** What it has written so far. */
  output(): { readonly stdout: string; readonly stderr: string };
  /** Runs `footbridge ARGS` in the daemon's environment. */
  cli(args: readonly string[], input?: string): Promise<Ended>;
  /** The same for a command that must succeed, with its one JSON value; `--json` is added. Throws when it does not. */
  json(...args: string[]): Promise<unknown>;
  /** SIGTERM, and its end; the runtime folder is removed unless it was given. A second call does nothing. */
  readonly stop: () => Promise<Ended>;
  /** SIGKILL, as a crash; the runtime folder stays when it was given. */
  readonly kill: () => Promise<Ended>;
}

/** What {@link startDaemon} can be told. */
export interface DaemonOptions {
  /** After `run --json`; default `--consent allow --http-port 0`. */
  readonly args?: readonly string[];
  /** Where to run; without it a new place, removed with the daemon. */
  readonly runtime?: Runtime;
  /** More environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** Flags of node itself; default those of `npm start`. */
  readonly nodeFlags?: readonly string[];
  /** The program and its first arguments, such as an installed command, instead of node with the built bundle. */
  readonly command?: readonly [string, ...string[]];
}

/** Makes a private place (mode 0700). Remove it after the daemons in it have ended. */
export function createRuntime(): Runtime {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'fb-'));
  chmodSync(folder, 0o700);
  const place = (name: string): string => {
    mkdirSync(join(folder, name), { mode: 0o700 });
    return join(folder, name);
  };
  return {
    folder,
    env: {
      PATH: process.env['PATH'] ?? '',
      XDG_RUNTIME_DIR: folder,
      HOME: place('home'),
      XDG_CONFIG_HOME: place('config'),
      XDG_DATA_HOME: place('data'),
      XDG_STATE_HOME: place('state'),
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/**
 * Starts the built daemon and waits for its ready line. Rejects, with what it wrote to stderr, when it ends before.
 * Whatever happens to the test, the process is gone and the folder removed when the caller's process exits.
 */
export async function startDaemon(options: DaemonOptions = {}): Promise<Daemon> {
  if (options.command === undefined && !existsSync(PROGRAM))
    throw new Error(`${PROGRAM} is missing: run "node .ci/setup.mjs build" first`);
  const runtime = options.runtime ?? createRuntime();
  const env = { ...runtime.env, ...options.env };
  const removeRuntime = (): void => {
    if (options.runtime === undefined) runtime.remove();
  };
  const args = options.args ?? ['--consent', 'allow', '--http-port', '0'];
  const flags = options.nodeFlags ?? NODE_FLAGS;
  const command: NonNullable<DaemonOptions['command']> = options.command ?? [process.execPath, PROGRAM];
  const started: typeof command = options.command ?? [process.execPath, ...flags, PROGRAM];
  const daemon = runProgram([...started, 'run', '--json', ...args], env);
  daemon.child.stdin.end();
  const killAtExit = (): void => {
    daemon.child.kill('SIGKILL');
    removeRuntime();
  };
  process.once('exit', killAtExit);
  const ended = daemon.ended.then((end) => {
    process.off('exit', killAtExit);
    removeRuntime();
    return end;
  });

  const ready = await readyLine(daemon, ended);
  const endpoint = ready.endpoints.find(({ kind }) => kind === 'ipc')?.path;
  if (endpoint === undefined) throw new Error('the ready line names no IPC endpoint');
  const end = async (signal: NodeJS.Signals): Promise<Ended> => {
    daemon.child.kill(signal);
    // A daemon that ignores SIGTERM must not outlive its test.
    const late = setTimeout(() => daemon.child.kill('SIGKILL'), PATIENCE_MS);
    const result = await ended;
    clearTimeout(late);
    return result;
  };
  const cli = (words: readonly string[], input = ''): Promise<Ended> => {
    const once = runProgram([...command, ...words], env);
    once.child.stdin.end(input);
    return once.ended;
  };
  return {
    ready,
    env,
    folder: runtime.folder,
    pid: ready.pid,
    endpoint,
    output: daemon.output,
    cli,
    json: async (...words) => {
      const { code, stdout, stderr } = await cli([...words, '--json']);
      if (code !== 0) throw new Error(`footbridge ${words.join(' ')} ended with ${code}: ${stderr}`);
      return JSON.parse(stdout) as unknown;
    },
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
  };
}

interface Program {
  readonly child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly ended: Promise<Ended>;
  readonly output: () => { readonly stdout: string; readonly stderr: string };
}

function runProgram(
  [program, ...args]: readonly [string, ...string[]],
  env: Readonly<Record<string, string>>,
): Program {
  const child = spawn(program, args, { env, stdio: ['pipe', 'pipe', 'pipe'] });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  // A command that does not read its input closes it early.
  child.stdin.on('error', () => {});
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
  return { child, ended, output: () => ({ stdout, stderr }) };
}

async function readyLine(daemon: Program, ended: Promise<Ended>): Promise<ReadyLine> {
  let patience: NodeJS.Timeout | undefined;
  const line = new Promise<string>((resolve, reject) => {
    const look = (): void => {
      const [first, rest] = daemon.output().stdout.split('\n', 2);
      if (rest !== undefined) resolve(first ?? '');
    };
    daemon.child.stdout.on('data', look);
    patience = setTimeout(() => reject(new Error('no ready line')), PATIENCE_MS);
    ended.then(({ code, signal }) => reject(new Error(`it ended with ${signal ?? code}`)), reject);
  });
  try {
    return JSON.parse(await line) as ReadyLine;
  } catch (error) {
    daemon.child.kill('SIGKILL');
    await ended.catch(() => {});
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`footbridge did not start: ${reason}\n${daemon.output().stderr}`, { cause: error });
  } finally {
    clearTimeout(patience);
  }
}
