import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { NODE_FLAGS } from '../../src/cli/service/program.ts';
import { controlClient } from '../../src/control/client.ts';
import { AppPeer } from './app-peer.ts';
import { createRuntime, type Daemon, type DaemonOptions, type Runtime, startDaemon } from './daemon.ts';
import { byOtherProcess } from './other-process.ts';
import { type RawPeer, rawPeer } from './raw-peer.ts';
import { uid } from './sockets.ts';

/** The built command. */
export const PROGRAM = fileURLToPath(new URL('../../dist/footbridge.js', import.meta.url));
/** An application that the built-in fixture knows. */
export const APP = '300000000000000001';
export const isLinux = process.platform === 'linux';
export const isRoot = uid === 0;

/** The ways to talk to a bridge. */
interface Ways {
  readonly raw: (options?: Parameters<typeof rawPeer>[1]) => Promise<RawPeer>;
  /** Connected, nothing said yet. */
  readonly peer: () => Promise<AppPeer>;
  /** After READY. */
  readonly app: (clientId?: string) => Promise<AppPeer>;
}

/** A built daemon and the ways to talk to it. */
export interface FaultBridge extends Daemon, Ways {
  /** The same ways from another process, which has rates and shares of its own. */
  readonly elsewhere: () => Promise<Ways>;
  readonly control: ReturnType<typeof controlClient>;
}

/** Starts the built daemon for one test; `limits` are spelled as in the configuration file. */
export async function faultBridge(
  options: DaemonOptions & { readonly limits?: Readonly<Record<string, number>> } = {},
): Promise<FaultBridge> {
  const limits = Object.entries(options.limits ?? {}).map(([name, value]) => [
    `FOOTBRIDGE_LIMITS_${name.toUpperCase()}`,
    String(value),
  ]);
  const daemon = await startDaemon({
    ...options,
    env: { ...options.env, ...(Object.fromEntries(limits) as Record<string, string>) },
  });
  onTestFinished(async () => void (await daemon.kill()));
  return {
    ...daemon,
    ...waysTo(daemon.endpoint),
    elsewhere: async () => waysTo(await byOtherProcess(daemon.endpoint)),
    control: controlClient({
      folder: { os: process.platform === 'darwin' ? 'darwin' : 'linux', uid },
      env: daemon.env,
    }),
  };
}

function waysTo(path: string): Ways {
  const raw: Ways['raw'] = (how) => rawPeer(path, how);
  const peer = async (): Promise<AppPeer> => new AppPeer(await raw());
  return {
    raw,
    peer,
    async app(clientId = APP) {
      const app = await peer();
      await app.handshake(clientId);
      return app;
    },
  };
}

/** A private place that is removed after the test; stop the daemons in it first. */
export function place(): Runtime {
  const runtime = createRuntime();
  onTestFinished(() => runtime.remove());
  return runtime;
}

/** How a command ended. */
export interface Outcome {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A program that was started; killed after the test if it still runs. */
export interface Running {
  readonly pid: number;
  readonly ended: Promise<Outcome>;
  readonly kill: (signal: NodeJS.Signals) => void;
  /** Resolves with all of stdout once it holds `text`, or with what there was when the program ended. */
  readonly said: (text: string) => Promise<string>;
}

/** Starts any program with an environment of its own. */
export function startCommand(
  [command, ...args]: readonly [string, ...string[]],
  env: Readonly<Record<string, string>>,
  options: { readonly uid?: number; readonly cwd?: string } = {},
): Running {
  const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'], ...options });
  onTestFinished(() => void child.kill('SIGKILL'));
  let stdout = '';
  let stderr = '';
  child.stderr.on('data', (chunk) => {
    stderr += String(chunk);
  });
  const looks = new Set<() => void>();
  child.stdout.on('data', (chunk) => {
    stdout += String(chunk);
    for (const look of looks) look();
  });
  const ended = new Promise<Outcome>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
  const said = (text: string): Promise<string> =>
    Promise.race([
      ended.then((outcome) => outcome.stdout),
      new Promise<string>((resolve) => {
        const look = (): void => {
          if (stdout.includes(text)) resolve(stdout);
        };
        looks.add(look);
        look();
      }),
    ]);
  return { pid: child.pid ?? 0, ended, kill: (signal) => void child.kill(signal), said };
}

/** The words that run the built daemon. */
export function daemonCommand(...args: readonly string[]): [string, ...string[]] {
  return daemonCommandOf(process.execPath, ...args);
}

/** The same with another Node. */
export function daemonCommandOf(node: string, ...args: readonly string[]): [string, ...string[]] {
  return [node, ...NODE_FLAGS, PROGRAM, 'run', '--json', '--http-port', '0', ...args];
}

/** Starts the built daemon where it must refuse, and gives its end. */
export async function refusedStart(
  env: Readonly<Record<string, string>>,
  ...args: readonly string[]
): Promise<Outcome> {
  return startCommand(daemonCommand(...args), env).ended;
}

/** Names of the endpoints in a folder. */
export function endpointsIn(folder: string): string[] {
  return readdirSync(folder).filter((name) => name.startsWith('discord-ipc-'));
}

/** What the token endpoint answers. */
export interface TokenAnswer {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly error?: string;
}

/** Posts a form to the daemon's token endpoint. */
export async function tokenRequest(
  bridge: Pick<FaultBridge, 'ready'>,
  form: Readonly<Record<string, string>>,
): Promise<TokenAnswer> {
  const body = new URLSearchParams({ client_id: APP, client_secret: SECRET, ...form });
  const response = await fetch(`${bridge.ready.api}/oauth2/token`, { method: 'POST', body });
  return (await response.json()) as TokenAnswer;
}

/** The client secret in every token request; any value will do for an application that has none written down. */
export const SECRET = 'canary-client-secret-2f7c9d';

/** AUTHORIZE, token exchange and AUTHENTICATE, under a policy that allows; gives code and tokens. */
export async function authorized(
  bridge: FaultBridge,
  app: AppPeer,
  scopes: readonly string[] = ['identify', 'rpc'],
): Promise<TokenAnswer & { readonly code: string }> {
  const { data } = await app.call('AUTHORIZE', { client_id: APP, scopes });
  const code = String(data.code);
  const tokens = await tokenRequest(bridge, { grant_type: 'authorization_code', code });
  const answer = await app.call('AUTHENTICATE', { access_token: tokens.access_token });
  if (answer.evt === 'ERROR') throw new Error(`AUTHENTICATE failed: ${JSON.stringify(answer.data)}`);
  return { ...tokens, code };
}
