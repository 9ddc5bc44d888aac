import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { bundled } from '../helpers/bundled.ts';

/** A private place for one test: sockets, home, configuration and data in one temporary folder. */
export interface Place {
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
}

/** How a program ended, and what it wrote. */
export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A program that runs, killed after the test if it still does. */
export interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  /** Resolves with everything on stdout once `text` is in it; rejects when the program ends without. */
  stdoutWith(text: string): Promise<string>;
  stderrWith(text: string): Promise<string>;
}

/** Makes a place that is gone after the test. */
export function temporaryPlace(): Place {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'fb-cli-'));
  // A process whose parent was killed may make its socket again before it notices.
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 }));
  const home = join(folder, 'home');
  mkdirSync(home, { mode: 0o700 });
  return {
    folder,
    env: {
      PATH: process.env['PATH'] ?? '',
      XDG_RUNTIME_DIR: folder,
      HOME: home,
      XDG_CONFIG_HOME: join(folder, 'config'),
      XDG_DATA_HOME: join(folder, 'data'),
    },
  };
}

/** The words that run the command line, bundled from the sources as they are. */
export function footbridgeCommand(...args: readonly string[]): [string, ...string[]] {
  return [process.execPath, bundled('footbridge'), ...args];
}

/** Starts `footbridge ARGS` in a place. */
export function startFootbridge(place: Place, args: readonly string[], options: SpawnOptions = {}): Running {
  return startProgram(footbridgeCommand(...args), { env: { ...place.env }, ...options });
}

/** Starts `footbridge ARGS` at a pseudo-terminal: what is written to stdin is typed, what it prints comes out on stdout. */
export function atTerminal(place: Place, args: readonly string[]): Running {
  return startProgram(
    [
      'python3',
      '-c',
      'import pty, sys; sys.exit(pty.spawn(sys.argv[1:]) >> 8)',
      ...footbridgeCommand(...args),
    ],
    { env: { ...place.env, TERM: 'dumb' } },
  );
}

/** Runs `footbridge ARGS` to its end. */
export function footbridge(place: Place, ...args: readonly string[]): Promise<Ended> {
  const running = startFootbridge(place, args);
  running.child.stdin?.end();
  return running.ended;
}

/** Starts any program with pipes, unless told otherwise. */
export function startProgram(
  [name, ...args]: readonly [string, ...string[]],
  options: SpawnOptions,
): Running {
  const child = spawn(name, args, { stdio: 'pipe', ...options });
  onTestFinished(() => void child.kill('SIGKILL'));
  child.stdin?.on('error', () => {});
  const stdout = gather(child.stdout);
  const stderr = gather(child.stderr);
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) =>
      resolve({ code, signal, stdout: stdout.text(), stderr: stderr.text() }),
    );
  });
  const endedWithout = (text: string): Promise<never> =>
    ended.then(({ code, signal, stdout: out, stderr: err }) => {
      throw new Error(`ended with ${signal ?? code} before ${JSON.stringify(text)}:\n${out}\n${err}`);
    });
  return {
    child,
    ended,
    stdoutWith: (text) => Promise.race([stdout.until(text), endedWithout(text)]),
    stderrWith: (text) => Promise.race([stderr.until(text), endedWithout(text)]),
  };
}

/** Starts `run --json` and waits for its ready line. */
export async function startDaemonProcess(place: Place, ...args: readonly string[]) {
  const running = startFootbridge(place, ['run', '--json', '--http-port', '0', ...args]);
  const line = await running.stdoutWith('\n');
  return { ...running, ready: JSON.parse(line) as Record<string, unknown> & { readonly pid: number } };
}

function gather(stream: NodeJS.ReadableStream | null) {
  let text = '';
  const waiting = new Set<() => void>();
  stream?.setEncoding('utf8');
  stream?.on('data', (chunk: string) => {
    text += chunk;
    for (const look of waiting) look();
  });
  return {
    text: () => text,
    until: (wanted: string): Promise<string> =>
      new Promise((resolve) => {
        const look = (): void => {
          if (!text.includes(wanted)) return;
          waiting.delete(look);
          resolve(text);
        };
        waiting.add(look);
        look();
      }),
  };
}
