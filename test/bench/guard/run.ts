// `npm run bench:guard`: whether a request costs more processor time than it did at the committed commit, which is built and
// measured in turns with the build of the checkout. `-- --commit` compares with HEAD from now on; `-- --prove 20` shows
// that the guard notices a cost (`--cost PERCENT`) and nothing else.
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { benchArguments } from '../arguments.ts';
import { prepareGenerator } from '../generator/generator.ts';
import { findPinning } from '../machine.ts';
import { BARE, FOOTBRIDGE, type Peer, preparePeers } from '../peers.ts';
import { median } from '../statistics.ts';
import { type Built, buildCommit, buildSources, changedSince, headCommit } from './builds.ts';
import { compare, describe, EQUAL, type Finding, type Pair, ratiosOf } from './comparison.ts';
import { baselineFor, type Committed, LOOSE_TOLERANCE, TOLERANCE, withBaseline } from './judge.ts';
import { LOADS } from './loads.ts';
import { prove } from './prove.ts';
import { type Samples, type Sampling, sample } from './sampling.ts';

const COMMITTED = fileURLToPath(new URL('../committed.json', import.meta.url));
/** The build of the checkout: packing takes longer than the guard may. */
const DAEMON = fileURLToPath(new URL('../../../dist/footbridge.js', import.meta.url));
/** Six starts are the fewest with bounds. At rest they take half a minute. */
const STARTS = { minStarts: 6, maxStarts: 16, budgetMs: 75_000 };
/** For `--commit`: nobody waits for it, and it is compared with for a long time. */
const COMMIT_STARTS = { minStarts: 16, maxStarts: 16, budgetMs: 600_000 };

const USAGE = `Usage: npm run bench:guard -- [OPTIONS]

  Compares the processor time of a request with that of the commit in test/bench/committed.json: about a minute.

  --prove N       N runs against a build with a planted cost, which each must notice
  --cost PERCENT  the planted cost (default 20)
  --commit        measure HEAD, and compare with it from now on
`;
const { values } = benchArguments(USAGE, {
  options: {
    commit: { type: 'boolean', default: false },
    prove: { type: 'string' },
    cost: { type: 'string', default: '20' },
  },
});
process.once('SIGINT', () => process.exit(130));
process.once('SIGTERM', () => process.exit(143));
const workFolder = mkdtempSync(join(realpathSync(tmpdir()), 'fb-guard-'));
process.once('exit', () => rmSync(workFolder, { recursive: true, force: true }));
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const committed = JSON.parse(readFileSync(COMMITTED, 'utf8')) as Committed;
process.exit(await run());

async function run(): Promise<number> {
  if (values.commit) return commit();
  return values.prove === undefined ? guard() : proof(Number(values.prove), Number(values.cost));
}

async function samplingWith(starts: typeof STARTS): Promise<Sampling> {
  return { generator: await prepareGenerator(workFolder), pinning: findPinning(), ...starts };
}

async function peerOf(command: readonly string[], name = FOOTBRIDGE as Peer['name']): Promise<Peer> {
  const { peers } = await preparePeers(workFolder, { command });
  const peer = peers.find((one) => one.name === name);
  if (!peer) throw new Error(`there is no ${name}`);
  return peer;
}

async function checkout(name?: Peer['name']): Promise<Peer> {
  return peerOf([process.execPath, DAEMON], name);
}

async function guard(): Promise<number> {
  const reference = buildCommit(workFolder, committed.commit);
  if (!reference.ok) return guardByBaseline(reference.reason);
  if (!changedSince(committed.commit)) {
    say(`the program is that of ${committed.commit}: it costs what it costs there`);
    return 0;
  }
  say(`processor time per request, compared with the program at ${committed.commit}:`);
  const servers = [await checkout(), await peerOf(reference.command)];
  return report(servers, { own: 0, other: 1, expected: EQUAL, tolerance: TOLERANCE });
}

/** A comparison with the bare server notices a factor of 1.5 only: it costs less of what a busy machine has too little. */
async function guardByBaseline(reason: string): Promise<number> {
  say(`compared with the bare server, and only for a factor of ${LOOSE_TOLERANCE}: ${reason}`);
  const servers = [await checkout(), await checkout(BARE)];
  let bareCost = Number.NaN;
  await sample(servers, { ...(await samplingWith(STARTS)), maxStarts: 1 }, ({ starts }) => {
    bareCost = bareActivityCost(starts);
    return [];
  });
  const baseline = baselineFor(bareCost, committed.baselines);
  if (!baseline)
    throw new Error(`${COMMITTED} has no baseline: npm run bench:guard -- --commit measures one`);
  say(
    `the bare server's request takes ${bareCost.toFixed(1)} µs here: compared with the machine where it takes ${baseline.bare}`,
  );
  return report(servers, { own: 0, other: 1, expected: baseline.ratios, tolerance: LOOSE_TOLERANCE });
}

async function report(servers: readonly Peer[], pair: Pair): Promise<number> {
  let found: readonly Finding[] = [];
  await sample(servers, await samplingWith(STARTS), (samples) => {
    found = compare(pair, samples);
    return found.filter(({ verdict }) => verdict === 'open').map(({ load }) => load);
  });
  for (const finding of found) say(describe(finding));
  const worse = found.filter(({ verdict }) => verdict === 'worse');
  if (worse.length === 0) return 0;
  say(
    `bench:guard: more than ${pair.tolerance} times the cost: ${worse.map(({ load }) => load.title).join('; ')}. ` +
      'Find the cause; when the cost is wanted, npm run bench:guard -- --commit',
  );
  return 1;
}

async function commit(): Promise<number> {
  const head = headCommit();
  if (changedSince(head))
    throw new Error('the sources differ from HEAD: commit them first, because HEAD is what is compared with');
  const servers = [await checkout(), await checkout(BARE)];
  let samples: Samples = { starts: [], isLast: false };
  await sample(servers, await samplingWith(COMMIT_STARTS), (all) => {
    samples = all;
    return [];
  });
  const rounded = (value: number): number => Number(value.toPrecision(3));
  const pair = { own: 0, other: 1 };
  const own = {
    bare: rounded(bareActivityCost(samples.starts)),
    ratios: Object.fromEntries(
      LOADS.map((load) => [load.id, rounded(median(ratiosOf(load, pair, samples.starts)))]),
    ),
  };
  const next: Committed = { commit: head, baselines: withBaseline(own, committed.baselines) };
  writeFileSync(COMMITTED, `${JSON.stringify(next, undefined, 2)}\n`);
  say(JSON.stringify(next, undefined, 2));
  return 0;
}

/** What one request costs the bare server (µs), which stands second: it tells the kind of a machine. */
function bareActivityCost(starts: Samples['starts']): number {
  return median(starts.flatMap((costs) => costs.get('activity')?.[1] ?? []));
}

async function proof(runs: number, percent: number): Promise<number> {
  const [same, more] = [buildSources(workFolder, 0), buildSources(workFolder, percent)];
  const commandOf = (built: Built): readonly string[] => {
    if (built.ok) return built.command;
    throw new Error(built.reason);
  };
  const trial = {
    checkout: await checkout(),
    reference: await peerOf(commandOf(same)),
    planted: await peerOf(commandOf(more)),
  };
  say(`${runs} runs with a planted cost of ${percent} % and without, tolerance ${TOLERANCE}`);
  return (await prove(runs, trial, await samplingWith(STARTS), say)) ? 0 : 1;
}
