import { readFileSync } from 'node:fs';
import { NODE_FLAGS } from '../../src/cli/service/program.ts';
import { runRandomSessions } from '../fuzz/random-sessions.ts';
import { atMost, type Scenario } from './figure.ts';
import {
  highestRss,
  honestHandshakes,
  p99,
  RawClient,
  residentOf,
  startAttacker,
  type Target,
  withTarget,
} from './target.ts';

const SESSIONS = 100_000;
const NO_CONNECT_LIMIT = { connects_burst: 1_000_000, connects_per_second: 1_000_000 } as const;

/** Random sessions, none of which may end the daemon or make it grow. */
export const churn: Scenario = {
  name: 'churn',
  rows: ['T32', 'R19'],
  raised: NO_CONNECT_LIMIT,
  run: (progress) =>
    withTarget(NO_CONNECT_LIMIT, async (target) => {
      const seed = Math.floor(Math.random() * 2 ** 31);
      const watch = highestRss(target);
      const { refused } = await runRandomSessions(target.endpoint, {
        count: SESSIONS,
        seed,
        atOnce: 16,
        onProgress: (done) => progress(`${done} of ${SESSIONS} sessions, seed ${seed}`),
      });
      const crashes = refused + ((await stillServes(target)) ? 0 : 1);
      const sessions = SESSIONS.toLocaleString('en');
      return [
        atMost(`0 crashes over ${sessions} random sessions`, crashes, 0, { unit: 'crashes', digits: 0 }),
        atMost(`hostile churn of ${sessions} sessions: ≤ 128 MB RSS`, watch.stop() / 1e6, 128, {
          unit: 'MB',
        }),
      ];
    }),
};

async function stillServes(target: Target): Promise<boolean> {
  await honestHandshakes(target.endpoint, 1);
  return (await target.control.status()).pid === target.pid && !target.output().stderr.includes('defect');
}

const CYCLES = 86_400;
const LONG_LIVED = 20;
// All of it comes from one process, which is what rates count.
const SOAK_LIMITS = {
  ...NO_CONNECT_LIMIT,
  messages_burst: 1_000_000,
  bytes_per_second: 1_000_000_000,
} as const;

interface Soak {
  readonly seconds: number;
  readonly slopeMB: number;
  readonly fds: number;
  readonly longLivedP99: number;
}

/** A day of one app a second: connect, handshake, three calls; beside long-lived connections. */
const soak = async (progress: (text: string) => void): Promise<Soak> =>
  withTarget(SOAK_LIMITS, async ({ endpoint, control }) => {
    const longLived = await Promise.all(
      Array.from({ length: LONG_LIVED }, async () => {
        const client = new RawClient(endpoint);
        await client.handshake();
        return client;
      }),
    );
    const fds = async (): Promise<number> => (await control.status()).fds ?? Number.NaN;
    const before = await fds();
    const begin = performance.now();
    const rss: number[] = [];
    const times: number[] = [];
    let next = 0;
    const worker = async (): Promise<void> => {
      while (next < CYCLES) {
        const cycle = next++;
        const client = new RawClient(endpoint);
        await client.handshake();
        for (let call = 0; call < 3; call++) await client.setActivity(cycle);
        await client.close();
        if (cycle % 1200 === 0) {
          rss.push(residentOf(await control.status()));
          const start = performance.now();
          await longLived[cycle % LONG_LIVED]?.setActivity(cycle);
          times.push(performance.now() - start);
          progress(`${cycle} of ${CYCLES} cycles`);
        }
      }
    };
    await Promise.all(Array.from({ length: 6 }, worker));
    const seconds = (performance.now() - begin) / 1000;
    const after = await settledFds(fds, before);
    await Promise.all(longLived.map((client) => client.close()));
    // The first eighth warms up.
    const warm = rss.slice(Math.floor(rss.length / 8));
    return { seconds, slopeMB: growth(warm) / 1e6, fds: after - before, longLivedP99: p99(times) };
  });

/** Closed connections are seen a turn later. */
async function settledFds(fds: () => Promise<number>, goal: number): Promise<number> {
  let count = await fds();
  for (let look = 0; look < 50 && count !== goal; look++) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    count = await fds();
  }
  return count;
}

/** How much a least-squares line through the values rises from the first to the last. */
function growth(values: readonly number[]): number {
  const middle = (values.length - 1) / 2;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  let above = 0;
  let below = 0;
  for (const [index, value] of values.entries()) {
    above += (index - middle) * (value - mean);
    below += (index - middle) ** 2;
  }
  return (above / below) * (values.length - 1);
}

/** The soak; its one line says all four of its quantities. */
export const endurance: Scenario = {
  name: 'soak',
  rows: ['R18'],
  raised: SOAK_LIMITS,
  async run(progress) {
    const { seconds, slopeMB, fds, longLivedP99 } = await soak(progress);
    const latency = `long-lived p99 ${longLivedP99.toFixed(2)} ms`;
    const figure = {
      goal: `soak of ${CYCLES.toLocaleString('en')} cycles: RSS slope ≤ 1 MB, fds ± 0, ≤ 180 s`,
      value: slopeMB,
      met: slopeMB <= 1 && fds === 0 && seconds <= 180,
      noisy: fds === 0,
      measured: `${slopeMB.toFixed(2)} MB, fds ${fds >= 0 ? '+' : ''}${fds}, ${seconds.toFixed(0)} s (${latency})`,
    };
    return [figure];
  },
};

/** Memory and processor time of a daemon that nobody talks to. */
export const idle: Scenario = {
  name: 'idle',
  rows: ['R20'],
  raised: {},
  run: () =>
    withTarget({}, async ({ pid, control }) => {
      // V8 tidies up for some seconds after a start.
      await new Promise((resolve) => setTimeout(resolve, 12_000));
      const before = processorSeconds(pid);
      await new Promise((resolve) => setTimeout(resolve, 10_000));
      const percent = ((processorSeconds(pid) - before) / 10) * 100;
      const rssMB = residentOf(await control.status()) / 1e6;
      return [
        atMost('idle for 10 s: ≤ 60 MB RSS', rssMB, 60, { unit: 'MB' }),
        atMost('idle for 10 s: ≤ 0.1 % of a processor', percent, 0.1, { unit: '%', digits: 2 }),
      ];
    }),
};

/** utime and stime of proc(5) `stat`, which counts hundredths of a second. */
function processorSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

const ATTACK_SECONDS = 20;
const REST_SECONDS = 60;

/** What is held a minute after an attack by every means at once. */
export const aftermath: Scenario = {
  name: 'aftermath',
  rows: ['R19'],
  raised: {},
  run: (progress) =>
    withTarget({}, async ({ endpoint, control }) => {
      const resident = async (): Promise<number> => residentOf(await control.status());
      const wait = (seconds: number) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));
      await honestHandshakes(endpoint, 20);
      await wait(5);
      const before = await resident();
      const kinds = { costly: 120, flood: 8, mute: 50, storm: 100 } as const;
      const attackers = await Promise.all(
        Object.entries(kinds).map(([kind, count]) => startAttacker(kind, endpoint, count)),
      );
      progress('the attack');
      await wait(ATTACK_SECONDS);
      await Promise.all(attackers.map((attacker) => attacker.stop()));
      const after = await resident();
      progress('the rest');
      await wait(REST_SECONDS);
      const times = (await resident()) / before;
      const note = ` (${(before / 1e6).toFixed(0)} MB before, ${(after / 1e6).toFixed(0)} MB after it)`;
      const goal = 'a minute after an attack: at most 1.5 × of the memory before';
      return [atMost(goal, times, 1.5, { unit: '×', digits: 2, note })];
    }),
};

const HEAP_SECONDS = 60;

/** A byte flood against a daemon with little heap. */
export const heap: Scenario = {
  name: 'heap',
  rows: ['R23'],
  raised: {},
  run: (progress) =>
    withTarget(
      {},
      async (target) => {
        const attacker = await startAttacker('flood', target.endpoint, 4);
        for (let second = 0; second < HEAP_SECONDS; second += 5) {
          progress(`${second} s`);
          await new Promise((resolve) => setTimeout(resolve, 5000));
        }
        const alive = await stillServes(target);
        const rss = residentOf(await target.control.status()) / 1e6;
        await attacker.stop();
        const goal = `no abort in ${HEAP_SECONDS} s of byte flood with a heap of 96 MiB`;
        return [
          { goal, value: rss, met: alive, measured: `${alive ? 'alive' : 'dead'}, ${rss.toFixed(0)} MB` },
        ];
      },
      { nodeFlags: [...NODE_FLAGS, '--max-old-space-size=96'] },
    ),
};
