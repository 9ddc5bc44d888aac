import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { controlClient } from '../../src/control/client.ts';
import type { ControlStatus } from '../../src/control/routes.ts';
import { RawClient } from '../bench/raw-client.ts';
import { percentile } from '../bench/statistics.ts';
import { createRuntime, type Daemon, type DaemonOptions, startDaemon } from '../helpers/daemon.ts';

/** A built daemon under torture; `pid` and the control API stay those of one process. */
export interface Target extends Daemon {
  readonly control: ReturnType<typeof controlClient>;
}

/** Runs the built daemon, with limits as in the configuration file, while `body` runs. */
export async function withTarget<T>(
  limits: Readonly<Record<string, number>>,
  body: (target: Target) => Promise<T>,
  options: DaemonOptions = {},
): Promise<T> {
  const env = Object.fromEntries(
    Object.entries(limits).map(([name, value]) => [`FOOTBRIDGE_LIMITS_${name.toUpperCase()}`, String(value)]),
  );
  const daemon = await startDaemon({ ...options, env: { ...options.env, ...env } });
  const os = process.platform === 'darwin' ? 'darwin' : 'linux';
  try {
    return await body({
      ...daemon,
      control: controlClient({ folder: { os, uid: process.getuid?.() }, env: daemon.env }),
    });
  } finally {
    await daemon.stop();
  }
}

/** A program of this folder in a process of its own, so that the load does not slow down who measures. */
export async function startAttacker(
  kind: string,
  path: string,
  count: number,
): Promise<{ stop(): Promise<void> }> {
  const file = fileURLToPath(new URL('./attacker.ts', import.meta.url));
  const child: ChildProcess = spawn(process.execPath, ['--import', 'tsx', file, kind, path, String(count)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const kill = (): void => void child.kill('SIGKILL');
  process.once('exit', kill);
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  await Promise.race([
    new Promise<void>((resolve) => child.stdout?.once('data', () => resolve())),
    closed.then(() => {
      throw new Error(`the attacker ${kind} ended before it was ready`);
    }),
  ]);
  return {
    async stop() {
      process.off('exit', kill);
      kill();
      await closed;
    },
  };
}

/** Times (ms) of SET_ACTIVITY on one connection, one every 12 ms: within the rates of an honest app. */
export async function honestCalls(path: string, count: number, times: number[] = []): Promise<number[]> {
  const client = new RawClient(path);
  await client.handshake();
  for (let n = 0; n < count; n++) {
    const begin = performance.now();
    await client.setActivity(n);
    times.push(performance.now() - begin);
    await new Promise((resolve) => setTimeout(resolve, 12));
  }
  await client.close();
  return times;
}

/** Times (ms) from connect to READY. */
export async function honestHandshakes(path: string, count: number): Promise<number[]> {
  const times: number[] = [];
  for (let n = 0; n < count; n++) {
    const begin = performance.now();
    const client = new RawClient(path);
    await client.handshake();
    times.push(performance.now() - begin);
    await client.close();
  }
  return times;
}

/** The resident memory of a bridge (bytes). The attacks run on systems that report it. */
export function residentOf({ rss }: ControlStatus): number {
  if (rss === null) throw new Error('the system does not report the memory of a process');
  return rss;
}

/** Watches the resident memory (bytes) until it is stopped, and gives the most that was seen. */
export function highestRss({ control }: Target): { stop(): number } {
  let most = 0;
  const timer = setInterval(() => {
    control.status().then(
      (status) => {
        most = Math.max(most, residentOf(status));
      },
      // A look that fails is one sample less; whether the daemon lives is asked for elsewhere.
      () => {},
    );
  }, 200);
  return {
    stop() {
      clearInterval(timer);
      return most;
    },
  };
}

/** The 99th percentile. */
export const p99 = (times: readonly number[]): number => percentile(times, 99);
export { createRuntime, RawClient };
