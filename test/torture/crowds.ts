import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepareGenerator } from '../bench/generator/generator.ts';
import { expensive, greeting } from '../bench/messages.ts';
import { atMost, type Scenario } from './figure.ts';
import {
  highestRss,
  honestCalls,
  honestHandshakes,
  p99,
  RawClient,
  residentOf,
  startAttacker,
  withTarget,
} from './target.ts';

/** 1,000 peers that never say a word. */
export const silent: Scenario = {
  name: 'silent',
  rows: ['T36'],
  raised: {},
  run: () =>
    withTarget({}, async ({ endpoint }) => {
      const attacker = await startAttacker('silent', endpoint, 1000);
      const times = await honestHandshakes(endpoint, 300);
      await attacker.stop();
      return [atMost('1,000 silent peers: honest handshake p99 ≤ 50 ms', p99(times), 50, { unit: 'ms' })];
    }),
};

/** Four peers that send 64 KiB of nested JSON as fast as they are read. */
export const flood: Scenario = {
  name: 'flood',
  rows: ['T40'],
  raised: {},
  run: () =>
    withTarget({}, async ({ endpoint }) => {
      const attacker = await startAttacker('flood', endpoint, 4);
      const times = await honestCalls(endpoint, 400);
      await attacker.stop();
      return [atMost('4-way byte flood: honest p99 ≤ 25 ms', p99(times), 25, { unit: 'ms' })];
    }),
};

/** 120 connections of one process that each send a request a second, within every limit and as costly as one can be. */
export const costly: Scenario = {
  name: 'costly',
  rows: ['T40'],
  raised: {},
  run: () =>
    withTarget({}, async ({ endpoint }) => {
      const attacker = await startAttacker('costly', endpoint, 120);
      const times = await honestCalls(endpoint, 400);
      await attacker.stop();
      const goal = '120 connections of a process, 26,000 keys a second each: honest p99 ≤ 25 ms';
      return [atMost(goal, p99(times), 25, { unit: 'ms' })];
    }),
};

/** A flooder that is cut off comes back after so long (ms). */
const AGAIN_MS = 500;

/** Sixteen processes that send the most expensive messages that are legal, as fast as they are read. */
export const legal: Scenario = {
  name: 'legal',
  rows: ['T39', 'T40', 'T41'],
  raised: {},
  async run() {
    const folder = mkdtempSync(join(tmpdir(), 'fb-legal-'));
    try {
      const generator = await prepareGenerator(folder);
      return await withTarget({}, async (target) => {
        const path = target.endpoint;
        const quiet = p99(await honestCalls(path, 200));
        const before = residentOf(await target.control.status());
        const watch = highestRss(target);
        const floods = expensive.map((flood) =>
          generator.start('load', { path, opening: greeting, 'again-ms': AGAIN_MS, ...flood }),
        );
        await Promise.all(floods.map(({ started }) => started));
        const among = p99(await honestCalls(path, 400));
        const most = watch.stop();
        const results = await Promise.all(floods.map((flood) => flood.stop()));
        const cut = results.reduce((sum, { closed = 0 }) => sum + closed, 0);
        const who = `${expensive.length} processes with the most expensive legal messages`;
        const note = ` (quiet ${quiet.toFixed(2)} ms)`;
        return [
          atMost(`${who}: honest p99 ≤ 10 ms`, among, 10, { unit: 'ms', note }),
          atMost(`${who}: RSS + ≤ 24 MB`, (most - before) / 1e6, 24, { unit: 'MB' }),
          atMost(`${who}: nobody is cut`, cut, 0, { unit: 'connections', digits: 0 }),
        ];
      });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

/** Fifty readers that never read; the quiet p99 is measured in the same daemon. */
export const readers: Scenario = {
  name: 'readers',
  rows: ['T38', 'R07'],
  raised: {},
  run: () =>
    withTarget({}, async (target) => {
      const quiet = p99(await honestCalls(target.endpoint, 400));
      const before = residentOf(await target.control.status());
      const watch = highestRss(target);
      const attacker = await startAttacker('mute', target.endpoint, 50);
      const busy = p99(await honestCalls(target.endpoint, 400));
      const most = watch.stop();
      await attacker.stop();
      const bound = Math.max(5, 2 * quiet);
      return [
        atMost('50 readers that never read: RSS + ≤ 24 MB', (most - before) / 1e6, 24, { unit: 'MB' }),
        atMost('50 readers that never read: honest p99 ≤ the larger of 2 × quiet and 5 ms', busy, bound, {
          unit: 'ms',
          digits: 2,
          note: ` (quiet ${quiet.toFixed(2)} ms)`,
        }),
      ];
    }),
};

/** One process may hold half of what 20,000 descriptors allow. */
const CROWD = 9000;
const WARM_UP = 200;
const CROWD_LIMITS = { connections: 24_000, connects_burst: 20_000, silent_connections: 1000 } as const;

/** Ten thousand apps that have shaken hands and are silent from then on. */
export const crowd: Scenario = {
  name: 'crowd',
  rows: ['R17', 'R21'],
  raised: CROWD_LIMITS,
  run: (progress) =>
    withTarget(CROWD_LIMITS, async ({ endpoint, control }) => {
      const resting = async (): Promise<number> => {
        await new Promise((resolve) => setTimeout(resolve, 2000));
        return residentOf(await control.status());
      };
      // The first connections pay for what is loaded once.
      const clients = await connected(endpoint, WARM_UP, () => {});
      const before = await resting();
      clients.push(
        ...(await connected(endpoint, CROWD - WARM_UP, (done) => progress(`${done} connections`))),
      );
      const each = ((await resting()) - before) / (CROWD - WARM_UP);
      const times = await honestCalls(endpoint, 400);
      await Promise.all(clients.map((client) => client.close()));
      return [
        atMost('9,000 idle connections: ≤ 8 KiB each', each / 1024, 8, { unit: 'KiB' }),
        atMost('9,000 idle connections: honest p99 ≤ 5 ms', p99(times), 5, { unit: 'ms', digits: 2 }),
      ];
    }),
};

async function connected(
  path: string,
  count: number,
  progress: (done: number) => void,
): Promise<RawClient[]> {
  const clients: RawClient[] = [];
  while (clients.length < count) {
    const batch = Array.from({ length: Math.min(50, count - clients.length) }, () => new RawClient(path));
    await Promise.all(batch.map((client) => client.handshake()));
    clients.push(...batch);
    if (clients.length % 500 === 0) progress(clients.length);
  }
  return clients;
}
