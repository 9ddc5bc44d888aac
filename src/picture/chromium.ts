import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import type { Environment, OsName } from '../../platform/endpoint/endpoints.ts';
import { makeProcessFolder, removeDeadFolders } from '../../platform/files/process-folder.ts';
import { findChromium } from '../../platform/process/chromium-program.ts';
import { LocalError } from '../base/local-error.ts';
import { DevtoolsPipe } from './devtools-pipe.ts';
import { chromiumEnv, chromiumFlags } from './flags.ts';

/** A running browser without a window, with a profile of its own. */
export interface Chromium {
  readonly pipe: DevtoolsPipe;
  /** Name and version, such as `Chrome/150.0.7871.100`. */
  readonly product: string;
  /** False where Chromium has no sandbox: for root. */
  readonly isSandboxed: boolean;
  /** Ends the browser with every process that it started, and removes its profile. May be called more than once. */
  end(): Promise<void>;
}

/** Time limit for the start of the browser, and for the exit of a killed one (ms). */
const START_MS = 20_000;
const EXIT_MS = 5000;
/** Kind of the temporary folders with profiles. */
const FOLDER = 'picture';
/** Maximum of stored output of the browser, in characters. */
const MAX_OUTPUT = 4000;

/**
 * Starts the browser of this machine. Throws `LocalError` FOOTBRIDGE_NO_CHROMIUM where there is none, and
 * FOOTBRIDGE_PICTURE where it does not start.
 */
export async function startChromium(os: OsName, env: Environment): Promise<Chromium> {
  const found = findChromium(os, env);
  if (found.kind === 'missing') throw new LocalError('FOOTBRIDGE_NO_CHROMIUM', `A picture: ${found.reason}`);
  await removeDeadFolders(FOLDER);
  const folder = makeProcessFolder(FOLDER);
  // The sandbox of Chromium needs a user that is not root.
  const isSandboxed = process.getuid?.() !== 0;
  const child = spawn(found.path, chromiumFlags(folder.path, isSandboxed), {
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
    env: chromiumEnv(env, folder.path),
    cwd: folder.path,
    // A process group of its own, which is killed as a whole.
    detached: os !== 'win32',
  });
  const exited = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  const output = outputOf(child);
  const killAtExit = (): void => {
    kill(child);
    folder.remove();
  };
  process.once('exit', killAtExit);
  const end = async (): Promise<void> => {
    kill(child);
    await within(EXIT_MS, exited).catch(() => undefined);
    process.off('exit', killAtExit);
    // A program that left the group has the other ends, and would keep this process alive.
    for (const stream of child.stdio) stream?.destroy();
    folder.remove();
  };
  const pipe = new DevtoolsPipe(child.stdio[3] as Writable, child.stdio[4] as Readable);
  child.once('error', (error) => pipe.fail(error));
  try {
    const { product } = await within(START_MS, pipe.send('Browser.getVersion'));
    // A browser alone does not prevent the end of this process.
    unreference(child);
    return { pipe, product: String(product), isSandboxed, end };
  } catch (error) {
    await end();
    throw new LocalError('FOOTBRIDGE_PICTURE', startFailure(found.path, output(), error), { cause: error });
  }
}

/** Rejects with `LocalError` FOOTBRIDGE_PICTURE when a promise takes longer. */
export async function within<T>(ms: number, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    const error = new LocalError('FOOTBRIDGE_PICTURE', `the browser did not answer within ${ms / 1000} s`);
    timer = setTimeout(() => reject(error), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

function startFailure(path: string, output: string, error: unknown): string {
  if (/No usable sandbox/i.test(output)) {
    return (
      `A picture: ${path} finds no sandbox, which this system forbids to this user. ` +
      'Permit user namespaces (sysctl kernel.unprivileged_userns_clone or kernel.apparmor_restrict_unprivileged_userns), or run as root in a container.'
    );
  }
  const line = output.trim().split('\n').at(-1) ?? '';
  const reason = line === '' ? (error as Error).message : line.slice(0, 300);
  return `A picture: ${path} does not start: ${reason}. Name another browser in FOOTBRIDGE_CHROMIUM.`;
}

/** Follows the end of what the browser writes to stderr. */
function outputOf({ stderr }: ChildProcess): () => string {
  let text = '';
  stderr?.setEncoding('utf8').on('data', (part: string) => {
    text = `${text}${part}`.slice(-MAX_OUTPUT);
  });
  return () => text;
}

function unreference(child: ChildProcess): void {
  child.unref();
  for (const stream of child.stdio) (stream as { readonly unref?: () => void } | null)?.unref?.();
}

function kill(child: ChildProcess): void {
  const { pid } = child;
  if (pid === undefined) return;
  try {
    if (process.platform === 'win32') child.kill('SIGKILL');
    else process.kill(-pid, 'SIGKILL');
  } catch {
    // The group has ended already.
  }
}
