import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, watch } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createRuntime, type Runtime } from '../helpers/daemon.ts';
import type { Peer } from './peers.ts';
import { RawClient } from './raw-client.ts';
import { median, percentile } from './statistics.ts';

/** Starts in a pass; their median is the pass's time to listening. */
const STARTS = 3;
const QUIET_MS = 2000;
const HANDSHAKES = 300;
/** Round trips of one connection: fewer than it may send at once, so that no rate limit is measured. */
const WARM_UP = 20;
const ROUND_TRIPS = 200;
const CONNECTIONS = 15;
/** A server that does not listen by then never will (ms). */
const PATIENCE_MS = 15_000;

/** The quantities, in the order they are shown; times in ms or µs, memory in MiB. */
export interface Measurement {
  readonly listeningMs: number;
  /** Processor time of all its threads until then: what a busy machine does not change. NaN without /proc. */
  readonly listeningCpuMs: number;
  /** NaN where the system has no /proc. */
  readonly idleRssMiB: number;
  readonly readyP50: number;
  readonly readyP99: number;
  readonly activityP50: number;
  readonly activityP99: number;
}

/** One pass over one server: a few starts, memory at rest, then latencies. */
export async function measure(peer: Peer): Promise<Measurement> {
  const starts: RunningServer[] = [];
  for (let n = 1; n < STARTS; n++) starts.push(await withServer(peer, (server) => Promise.resolve(server)));
  return withServer(peer, async (server) => {
    starts.push(server);
    await sleep(QUIET_MS);
    const idleRssMiB = residentMiB(server.pid);
    const ready = await handshakes(server.path);
    const activity = await roundTrips(server.path);
    return {
      listeningMs: median(starts.map(({ listeningMs }) => listeningMs)),
      listeningCpuMs: median(starts.map(({ listeningCpuMs }) => listeningCpuMs)),
      idleRssMiB,
      readyP50: percentile(ready, 50),
      readyP99: percentile(ready, 99),
      activityP50: percentile(activity, 50),
      activityP99: percentile(activity, 99),
    };
  });
}

interface RunningServer {
  readonly path: string;
  readonly pid: number;
  readonly listeningMs: number;
  readonly listeningCpuMs: number;
}

/** Runs a server in a place of its own, with one handshake behind it; it is gone afterwards. */
async function withServer<T>(peer: Peer, body: (server: RunningServer) => Promise<T>): Promise<T> {
  const runtime = createRuntime();
  const path = join(runtime.folder, 'discord-ipc-0');
  const child = new Child(peer, runtime);
  try {
    const client = await firstConnection(path, child);
    const listeningMs = performance.now() - child.begun;
    const listeningCpuMs = processorMs(child.pid);
    await client.handshake();
    await client.close();
    return await body({ path, pid: child.pid, listeningMs, listeningCpuMs });
  } finally {
    await child.kill();
    runtime.remove();
  }
}

/** A server's process. Gone with ours at the latest. */
class Child {
  /** When it was started, on the clock of `performance.now()`. */
  readonly begun = performance.now();
  readonly #process: ChildProcess;
  readonly #ended: Promise<never>;

  constructor(peer: Peer, runtime: Runtime) {
    const child = spawn(process.execPath, peer.args(runtime.folder), {
      env: { ...runtime.env, ...peer.env },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    this.#process = child;
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
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

  async kill(): Promise<void> {
    this.#process.kill('SIGKILL');
    await this.#ended.catch(() => {});
  }
}

/** Connects as soon as there is something at `path`: asking all the while would slow down who is measured. */
async function firstConnection(path: string, child: Child): Promise<RawClient> {
  const patience = AbortSignal.timeout(PATIENCE_MS);
  const changes = watch(dirname(path));
  try {
    await child.outlives(once(changes, 'change', { signal: patience }));
  } finally {
    changes.close();
  }
  for (;;) {
    try {
      return await new RawClient(path).connected();
    } catch {
      patience.throwIfAborted();
      await child.outlives(sleep(1));
    }
  }
}

async function handshakes(path: string): Promise<number[]> {
  const times: number[] = [];
  for (let n = 0; n < HANDSHAKES; n++) {
    const begin = performance.now();
    const client = new RawClient(path);
    await client.handshake();
    times.push((performance.now() - begin) * 1000);
    await client.close();
  }
  return times;
}

async function roundTrips(path: string): Promise<number[]> {
  const times: number[] = [];
  for (let connection = 0; connection < CONNECTIONS; connection++) {
    const client = new RawClient(path);
    await client.handshake();
    for (let n = 0; n < WARM_UP + ROUND_TRIPS; n++) {
      const begin = performance.now();
      await client.setActivity(n);
      if (n >= WARM_UP) times.push((performance.now() - begin) * 1000);
    }
    await client.close();
  }
  return times;
}

/** The first number of a thread's schedstat is the nanoseconds it has run. */
function processorMs(pid: number): number {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    const ran = threads.map((id) => parseInt(readFileSync(`/proc/${pid}/task/${id}/schedstat`, 'utf8'), 10));
    return ran.reduce((sum, nanoseconds) => sum + nanoseconds, 0) / 1e6;
  } catch {
    return Number.NaN;
  }
}

function residentMiB(pid: number): number {
  try {
    const [, kibibytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(kibibytes) / 1024;
  } catch {
    return Number.NaN;
  }
}
