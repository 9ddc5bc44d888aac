import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { signedIn, subscribed, toggleMute, VOICE_EVENT } from '../messages.ts';
import { BARE, FOOTBRIDGE, type Peer } from '../peers.ts';
import { type Running, withServer } from '../running.ts';
import { apartIfPossible, type Bench, GENERATOR, generatorShare, less, type Row } from './row.ts';

const SUBSCRIBERS = 1000;

/** One event to many: a setting is changed by one app, and all the others are told. */
export const fanoutRow: Row = {
  id: 'fanout',
  title: `one event to ${SUBSCRIBERS.toLocaleString('en')} subscribers`,
  quantities: [
    less('last', 'to the last, p50', 'ms', 1),
    less('slowest', 'to the last, slowest event', 'ms', 1),
    { key: 'printed', label: 'serialisations an event', unit: '', digits: 2, better: 'lower' },
    GENERATOR,
  ],
  peers: [BARE, FOOTBRIDGE],
  async measure(peer, bench) {
    const places = apartIfPossible(bench);
    const result = await withServer(peer, { raised: true, cpu: places.server }, (server) =>
      events(
        server,
        bench,
        { connections: SUBSCRIBERS, warm: 10, count: bench.quick ? 10 : 30 },
        places.generator,
      ),
    );
    return {
      last: result.p50 / 1000,
      slowest: result.max / 1000,
      printed: await serialisations(peer, bench),
      generator: generatorShare(result),
    };
  },
};

interface Counts {
  readonly connections: number;
  readonly warm: number;
  readonly count: number;
}

async function events(server: Running, { generator }: Bench, counts: Counts, cpu?: number) {
  const token = await server.token('rpc');
  const scripts = { opening: subscribed(token), trigger: signedIn(token), request: toggleMute };
  return generator.run(
    'fanout',
    { path: server.path, ...scripts, event: VOICE_EVENT, pid: server.pid, ...counts },
    cpu,
  );
}

/** How often the event's JSON is made, counted in a server of its own. NaN where it is made by something else. */
async function serialisations(peer: Peer, bench: Bench): Promise<number> {
  const [preload, log] = [join(bench.workFolder, 'count.cjs'), join(bench.workFolder, 'counted')];
  writeFileSync(preload, COUNT);
  writeFileSync(log, '');
  const env = { NODE_OPTIONS: `--require ${preload}`, BENCH_COUNT: log };
  const [subscribers, changes] = [50, 20];
  await withServer(peer, { raised: true, env }, (server) =>
    events(server, bench, { connections: subscribers, warm: 0, count: changes }),
  );
  // Each subscription is told the current value first, to it alone.
  const counted = readFileSync(log).length - (peer.hasTokens ? subscribers : 0);
  return counted < 0 ? Number.NaN : counted / changes;
}

const COUNT = `
const { appendFileSync } = require('node:fs');
const { stringify } = JSON;
JSON.stringify = function (...args) {
  const text = stringify.apply(this, args);
  if (typeof text === 'string' && text.includes('"evt":"${VOICE_EVENT}"') && text.includes('"DISPATCH"'))
    appendFileSync(process.env.BENCH_COUNT, '.');
  return text;
};
`;
