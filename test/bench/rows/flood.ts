import type { Generator, Working } from '../generator/generator.ts';
import { expensive, type Flood, greeting, setActivity } from '../messages.ts';
import { ARRPC, BARE, FOOTBRIDGE, type Peer } from '../peers.ts';
import { residentBytes } from '../process-facts.ts';
import { withServer } from '../running.ts';
import { apartIfPossible, type Bench, less, type Quantity, type Readings, type Row } from './row.ts';

/** What an app asks that is busy: 83 requests a second. */
const HONEST_US = 12_000;
/** A flooder that is cut off comes back after so long (ms). */
const AGAIN_MS = 500;

const P99 = less('p99', 'an honest peer, p99', 'ms', 2);
const QUIET = less('quiet', 'the same before, p99', 'ms', 2);
const CUT: Quantity = { key: 'cut', label: 'flooders cut off', unit: '', digits: 0, better: 'lower' };
const TAKEN: Quantity = {
  key: 'taken',
  label: 'of the flood, answered',
  unit: 'k/s',
  digits: 1,
  better: 'neither',
};

/** With default settings: an honest peer before, and among processes that send as fast as they are read. */
async function underFlood(peer: Peer, bench: Bench, floods: readonly Flood[]): Promise<Readings> {
  const places = apartIfPossible(bench);
  return withServer(peer, { cpu: places.server }, async ({ path, pid }) => {
    const honest = (ms: number) => honestPeer(bench.generator, path, ms, places.generator);
    const quiet = await honest(bench.quick ? 1000 : 2000);
    const before = residentBytes(pid);
    const working = floods.map((flood) => flooder(bench.generator, path, flood, places.generator));
    await Promise.all(working.map(({ started }) => started));
    const memory = highest(pid);
    const among = await honest(bench.quick ? 2000 : 4000);
    const most = memory.stop();
    const results = await Promise.all(working.map((one) => one.stop()));
    const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
    return {
      p99: among.p99 / 1000,
      quiet: quiet.p99 / 1000,
      cut: sum(results.map(({ closed = 0 }) => closed)),
      taken: sum(results.map(({ answered = 0, seconds }) => answered / seconds)) / 1000,
      grown: (most - before) / 1e6,
    };
  });
}

function honestPeer(generator: Generator, path: string, ms: number, cpu: number | undefined) {
  const words = { path, opening: greeting, request: setActivity, 'every-us': HONEST_US, 'again-ms': 20 };
  return generator.run('load', { ...words, 'warm-ms': 500, 'measure-ms': ms }, cpu);
}

/** On the honest peer's processor, which it leaves to that: else the wait for a processor would be taken for the server's. */
function flooder(generator: Generator, path: string, flood: Flood, cpu: number | undefined): Working {
  return generator.start('load', { path, opening: greeting, 'again-ms': AGAIN_MS, ...flood }, cpu, true);
}

/** The most memory that is seen from now on (bytes). */
function highest(pid: number): { stop(): number } {
  let most = 0;
  const look = (): void => {
    most = Math.max(most, residentBytes(pid));
  };
  const timer = setInterval(look, 50);
  return {
    stop() {
      clearInterval(timer);
      look();
      return most;
    },
  };
}

const FLOODERS = 4;
const ordinary: readonly Flood[] = Array.from({ length: FLOODERS }, () => ({
  request: setActivity,
  window: 0,
}));

export const floodRows: readonly Row[] = [
  {
    id: 'flood',
    title: `${FLOODERS} processes that flood with SET_ACTIVITY, default settings`,
    quantities: [P99, QUIET, TAKEN, CUT],
    peers: [BARE, ARRPC, FOOTBRIDGE],
    measure: (peer, bench) => underFlood(peer, bench, ordinary),
  },
  {
    id: 'bad-input',
    title: `${expensive.length} processes that send the most expensive legal messages, default settings`,
    quantities: [P99, QUIET, less('grown', 'memory grows by', 'MB', 1), TAKEN, CUT],
    peers: [BARE, FOOTBRIDGE],
    measure: (peer, bench) => underFlood(peer, bench, expensive),
  },
];
