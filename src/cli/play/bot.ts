import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { systemErrorText } from '../../../platform/system-error-text.ts';
import { LocalError, systemCode } from '../../base/local-error.ts';
import type { Stage } from '../../scenario/stage.ts';

/** Time that a bot gets to end after SIGTERM (ms). */
const END_MS = 2000;
/**
 * Time that what the program has started gets after its end (ms). It is short, because in a container without an init
 * process the ones that have ended seem to run.
 */
const REST_MS = 250;
/** Interval of the checks whether the bot is ready (ms). */
const PAUSE_MS = 20;
/** Time without traffic after which a bot that has connected is ready: it still registers its commands (ms). */
const QUIET = '150ms';

/** Whether signals reach all that a program has started. */
const isGroup = process.platform !== 'win32';

/** The program of a bot while scenarios are played. */
export interface Bot {
  /** What became of it, as words after "the bot": `exited with 1`. */
  readonly ended: Promise<string>;
  isRunning(): boolean;
  /** Ends the program and waits for its end. */
  stop(): Promise<void>;
}

/** Starts the program of a bot; what it prints goes to stderr. Rejects with a LocalError where it cannot be started. */
export async function startBot(
  [name = '', ...args]: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<Bot> {
  const failed = (error: unknown): LocalError => {
    const remedy =
      systemCode(error) === 'ENOENT' ? 'Name a program that exists, behind --.' : 'See that you may run it.';
    const what = `the command ${JSON.stringify(name)} cannot be started: ${systemErrorText(error as Error)}`;
    return new LocalError('FOOTBRIDGE_CONFIG', `${what}. ${remedy}`);
  };
  let child: ChildProcess;
  try {
    // A process group of its own: a shell, npm or "go run" ends without the program that it has started.
    child = spawn(name, args, { stdio: ['ignore', 2, 2], env, detached: isGroup });
    await once(child, 'spawn');
  } catch (error) {
    throw failed(error);
  }
  const ended = new Promise<string>((resolve) => {
    child.on('exit', (code, signal) =>
      resolve(code === null ? `was ended by ${signal}` : `exited with ${code}`),
    );
  });
  return {
    ended,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    async stop() {
      let deadline = performance.now() + END_MS;
      void ended.then(() => {
        deadline = Math.min(deadline, performance.now() + REST_MS);
      });
      for (let isThere = send(child, 'SIGTERM'); isThere; isThere = send(child, 0)) {
        if (performance.now() > deadline) {
          send(child, 'SIGKILL');
          break;
        }
        await delay(PAUSE_MS);
      }
      await ended;
    },
  };
}

/** Sends a signal to a program and to all that it has started; false where nothing runs any more. */
function send({ pid, exitCode, signalCode }: ChildProcess, signal: NodeJS.Signals | 0): boolean {
  if (pid === undefined || (!isGroup && (exitCode !== null || signalCode !== null))) return false;
  try {
    return process.kill(isGroup ? -pid : pid, signal);
  } catch {
    return false;
  }
}

/** Waits until a bot or an app has connected and does nothing more. Rejects with a LocalError after `ms`. */
export async function whenReady(stage: Stage, ms: number): Promise<void> {
  let outcome: string | undefined;
  void stage.ended?.then((how) => {
    outcome = how;
  });
  const deadline = performance.now() + ms;
  for (;;) {
    if (outcome !== undefined)
      throw new LocalError(
        'FOOTBRIDGE_BOT',
        `the bot ${outcome} before it had connected. Its own output says why.`,
      );
    if (await isConnected(stage)) break;
    if (performance.now() > deadline) {
      throw new LocalError(
        'FOOTBRIDGE_BOT',
        `no bot has connected within ${Math.round(ms / 1000)} s. It finds the emulator by FOOTBRIDGE_API: give that to the option of its library for the address of the API. --wait gives it longer.`,
      );
    }
    await delay(PAUSE_MS);
  }
  await stage.call('emulator.settle', { quiet: QUIET });
}

/** Waits until the bridge knows that a bot which has ended is connected no more: the next one must not be taken for it. */
export async function whenGone(stage: Stage): Promise<void> {
  const deadline = performance.now() + END_MS;
  while ((await isConnected(stage)) && performance.now() < deadline) await delay(PAUSE_MS);
}

async function isConnected(stage: Stage): Promise<boolean> {
  const sessions = (await stage.call('gateway.sessions', {})) as readonly { readonly state: string }[];
  if (sessions.some(({ state }) => state === 'connected')) return true;
  const { activities, applications } = (await stage.call('emulator.show', {})) as {
    readonly activities: readonly unknown[];
    readonly applications: readonly { readonly interactions_endpoint_url?: string | null }[];
  };
  if (activities.length > 0) return true;
  // A bot that is reached over HTTP connects to nothing: its server has to listen.
  for (const { interactions_endpoint_url: url } of applications) if (url && (await listens(url))) return true;
  return false;
}

async function listens(url: string): Promise<boolean> {
  const { connect } = await import('node:net');
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
