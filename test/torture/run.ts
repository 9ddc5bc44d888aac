// Measures what the built daemon bears. `npm run torture [-- --json] [-- --only NAME]`; progress goes to stderr.
// A goal that is not met is said, and is the exit code 1; with `--counts` only one that counts something, such as lost
// answers: time and memory are measured beside, and a busy machine fails nothing.

import { parseArgs } from 'node:util';
import { NODE_FLAGS } from '../../src/cli/service/program.ts';
import { canaries } from './canaries.ts';
import { outage } from './client-outage.ts';
import { streams } from './client-streams.ts';
import { costly, crowd, flood, legal, readers, silent } from './crowds.ts';
import { aftermath, churn, endurance, heap, idle } from './endurance.ts';
import type { Figure, Scenario } from './figure.ts';
import { fullPlatform } from './full-platform.ts';
import { hangUps } from './hang-ups.ts';
import { races, restart, sigterm } from './lives.ts';
import { strangers } from './strangers.ts';

const scenarios: readonly Scenario[] = [
  idle,
  silent,
  flood,
  costly,
  legal,
  readers,
  restart,
  races,
  sigterm,
  canaries,
  outage,
  streams,
  crowd,
  strangers,
  hangUps,
  churn,
  endurance,
  heap,
  fullPlatform,
  aftermath,
];
/** One scenario may take no longer (ms): what hangs is not met. */
const PATIENCE_MS = 300_000;

interface Line extends Figure, Pick<Scenario, 'name' | 'rows' | 'raised'> {}

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    counts: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true },
  },
});
// So that 'exit' comes, and with it the end of every process, on Ctrl-C too.
process.once('SIGINT', () => process.exit(130));
process.once('SIGTERM', () => process.exit(143));

const chosen = scenarios.filter(({ name }) => values.only === undefined || values.only.includes(name));
if (chosen.length === 0) {
  process.stderr.write(`There is no such scenario. Known: ${scenarios.map(({ name }) => name).join(', ')}\n`);
  process.exit(64);
}
const lines: Line[] = [];
for (const scenario of chosen) lines.push(...(await measure(scenario)));
process.stdout.write(
  values.json ? `${JSON.stringify({ node: process.version, figures: lines })}\n` : table(lines),
);
process.exit(lines.every(({ met, noisy }) => met || (values.counts && noisy === true)) ? 0 : 1);

async function measure(scenario: Scenario): Promise<Line[]> {
  const { name, rows, raised } = scenario;
  const tell = (text: string): void => {
    if (process.stderr.isTTY) process.stderr.write(`\r${name}: ${text}`.padEnd(78));
  };
  tell('at work');
  const begin = performance.now();
  let patience: NodeJS.Timeout | undefined;
  const late = new Promise<readonly Figure[]>((resolve) => {
    patience = setTimeout(() => resolve([failed(name, `not done in ${PATIENCE_MS / 1000} s`)]), PATIENCE_MS);
  });
  const failure = (error: unknown): Figure[] => [
    failed(name, error instanceof Error ? error.message : String(error)),
  ];
  const results = await Promise.race([late, scenario.run(tell).catch(failure)]);
  clearTimeout(patience);
  const seconds = (performance.now() - begin) / 1000;
  process.stderr.write(`\r${name}: done in ${seconds.toFixed(0)} s`.padEnd(78).concat('\n'));
  return results.map((result) => ({ name, rows, raised, ...result }));
}

function failed(goal: string, reason: string): Figure {
  return { goal, value: Number.NaN, met: false, measured: `failed: ${reason.split('\n', 1)[0] ?? ''}` };
}

function table(results: readonly Line[]): string {
  const width = Math.max(...results.map(({ goal }) => goal.length));
  const text = results.map(({ met, goal, measured, raised }) => {
    const more = Object.entries(raised).map(([name, value]) => `${name} = ${value}`);
    const note = more.length === 0 ? '' : `\n${''.padEnd(9)}with ${more.join(', ')}`;
    return `${met ? 'met     ' : 'NOT MET '} ${goal.padEnd(width)}  ${measured}${note}`;
  });
  return `node ${process.version}, daemon with ${NODE_FLAGS.join(' ')}\n\n${text.join('\n')}\n`;
}
