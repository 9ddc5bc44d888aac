import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type FSWatcher, watch } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createRuntime, type Runtime } from '../helpers/daemon.ts';
import { FramePeer } from './frame-peer.ts';
import { pinned } from './machine.ts';
import { CLIENT_ID } from './messages.ts';
import type { Peer } from './peers.ts';
import { processorMs } from './process-facts.ts';

/** A server that does not listen by then never will (ms). */
const PATIENCE_MS = 20_000;

/** How a server is started for a row. */
export interface Start {
  /** With room for more connections than default settings have. */
  readonly raised?: boolean;
  /** The processor it is tied to. */
  readonly cpu?: number | undefined;
  readonly env?: Readonly<Record<string, string>>;
}

/** A server at work. */
export interface Running {
  /** Of its endpoint. */
  readonly path: string;
  readonly pid: number;
  /** The environment of a program that shall find it. */
  readonly env: Readonly<Record<string, string>>;
  /** From the start of its process to the first connection (ms). */
  readonly listeningMs: number;
  /** Processor time of all its threads until then. */
  readonly listeningCpuMs: number;
  /** An access token with this scope; undefined for a server that asks for none. */
  token(scope: string): Promise<string | undefined>;
  /** SIGTERM, and its end. */
  end(): Promise<void>;
}

/** Runs a server in a place of its own while `body` works; it is gone afterwards. */
export async function withServer<T>(
  peer: Peer,
  start: Start,
  body: (server: Running) => Promise<T>,
): Promise<T> {
  const runtime = createRuntime();
  const env = { ...runtime.env, ...peer.env, ...(start.raised ? peer.raised : {}), ...start.env };
  const path = join(runtime.folder, 'discord-ipc-0');
  // Before the start: a server in C listens within a millisecond.
  const changes = watch(runtime.folder);
  const child = new Child(peer, runtime, env, start.cpu);
  try {
    await firstConnection(path, child, changes);
    const listeningMs = performance.now() - child.begun;
    const listeningCpuMs = processorMs(child.pid);
    const token = async (scope: string): Promise<string | undefined> =>
      peer.hasTokens ? tokenOf(path, await child.outlives(child.firstLine), scope) : undefined;
    const end = (): Promise<void> => child.end('SIGTERM');
    return await body({ path, pid: child.pid, env: runtime.env, listeningMs, listeningCpuMs, token, end });
  } finally {
    changes.close();
    await child.end('SIGKILL');
    runtime.remove();
  }
}

/** A server's process. Gone with ours at the latest. */
class Child {
  /** When it was started, on the clock of `performance.now()`. */
  readonly begun = performance.now();
  readonly firstLine: Promise<string>;
  readonly #process: ChildProcess;
  readonly #ended: Promise<never>;

  constructor(peer: Peer, runtime: Runtime, env: Readonly<Record<string, string>>, cpu: number | undefined) {
    const [program = '', ...args] = pinned(peer.command(runtime.folder), cpu);
    const child = spawn(program, args, {
      env,
      stdio: ['ignore', peer.hasTokens ? 'pipe' : 'ignore', 'pipe'],
    });
    this.#process = child;
    let [stdout, stderr] = ['', ''];
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      stderr = `${stderr}${text}`.slice(-4000);
    });
    this.firstLine = new Promise((resolve) => {
      child.stdout?.setEncoding('utf8').on('data', (text: string) => {
        stdout = `${stdout}${text}`.slice(0, 100_000);
        if (stdout.includes('\n')) resolve(stdout.split('\n', 1)[0] ?? '');
      });
    });
    const killAtExit = (): void => void child.kill('SIGKILL');
    process.once('exit', killAtExit);
    this.#ended = new Promise((_, reject) => {
      child.once('error', reject);
      child.once('close', (code, signal) => {
        process.off('exit', killAtExit);
        reject(new Error(`${peer.name} ended with ${signal ?? code}\n${stderr}`));
      });
    });
    this.#ended.catch(() => {});
  }

  get pid(): number {
    return this.#process.pid ?? 0;
  }

  /** What `promise` resolves to; rejects with what the process wrote when it ends first. */
  async outlives<T>(promise: Promise<T>): Promise<T> {
    return Promise.race([promise, this.#ended]);
  }

  async end(signal: NodeJS.Signals): Promise<void> {
    this.#process.kill(signal);
    await this.#ended.catch(() => {});
  }
}

/** Connects as soon as there is something at `path`: asking all the while would slow down who is measured. */
async function firstConnection(path: string, child: Child, changes: FSWatcher): Promise<void> {
  const patience = AbortSignal.timeout(PATIENCE_MS);
  await child.outlives(once(changes, 'change', { signal: patience }));
  for (;;) {
    const socket = connect(path);
    try {
      await once(socket, 'connect');
      return;
    } catch {
      patience.throwIfAborted();
      await child.outlives(sleep(1));
    } finally {
      socket.destroy();
    }
  }
}

/** AUTHORIZE under a policy that allows, and the code traded for a token where the ready line says. */
async function tokenOf(path: string, readyLine: string, scope: string): Promise<string> {
  const { api } = JSON.parse(readyLine) as { readonly api: string };
  const app = await FramePeer.open(path);
  const { data } = await app.request('AUTHORIZE', { client_id: CLIENT_ID, scopes: [scope, 'identify'] });
  app.close();
  const body = new URLSearchParams({
    ...{ grant_type: 'authorization_code', code: String(data?.code) },
    ...{ client_id: CLIENT_ID, client_secret: 'anything' },
  });
  const answer = await fetch(`${api}/oauth2/token`, { method: 'POST', body });
  const { access_token: token } = (await answer.json()) as { readonly access_token?: string };
  if (token === undefined)
    throw new Error(`no token for ${scope}: ${answer.status}, ${JSON.stringify(data)}`);
  return token;
}
