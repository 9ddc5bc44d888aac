// What a bridge in front of a client adds to a round trip. `npx tsx test/bench/upstream.ts [--passes N]`
// Both are the built daemon: one asked directly, and the same one through another with `--core upstream`.
import { parseArgs } from 'node:util';
import { startDaemon } from '../helpers/daemon.ts';
import { RawClient } from './raw-client.ts';
import { median, percentile } from './statistics.ts';

const ROUND_TRIPS = 3000;
const WARM_UP = 500;
/** Goal: what is added at the median (ms). */
const MOST_MS = 1;
const UNLIMITED = {
  FOOTBRIDGE_LIMITS_MESSAGES_BURST: '1000000',
  FOOTBRIDGE_LIMITS_BYTES_PER_SECOND: '1000000000',
};

const { values } = parseArgs({ options: { passes: { type: 'string', default: '5' } } });

const behind = await startDaemon({ env: UNLIMITED });
const front = await startDaemon({
  args: ['--core', 'upstream', '--upstream', behind.endpoint],
  env: UNLIMITED,
});
const direct: number[] = [];
const through: number[] = [];
try {
  for (let pass = 0; pass < Number(values.passes); pass++) {
    direct.push(...(await roundTrips(behind.endpoint)));
    through.push(...(await roundTrips(front.endpoint)));
  }
} finally {
  await front.stop();
  await behind.stop();
}
const added = median(through) - median(direct);
const line = (name: string, times: readonly number[]): string =>
  `${name.padEnd(10)} p50 ${median(times).toFixed(3)} ms, p99 ${percentile(times, 99).toFixed(3)} ms\n`;
process.stdout.write(
  `${line('direct', direct)}${line('upstream', through)}added at p50: ${added.toFixed(3)} ms, ` +
    `${added <= MOST_MS ? 'within' : 'NOT within'} ${MOST_MS} ms\n`,
);

async function roundTrips(path: string): Promise<number[]> {
  const client = new RawClient(path);
  await client.handshake();
  const times: number[] = [];
  for (let n = 0; n < WARM_UP + ROUND_TRIPS; n++) {
    const begin = performance.now();
    await client.setActivity(n);
    if (n >= WARM_UP) times.push(performance.now() - begin);
  }
  await client.close();
  return times;
}
