import { execFileSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { checkArgs } from '../../src/protocol/check-shapes.ts';
import { findCommand } from '../../src/protocol/registry.ts';
import { allows, LOCAL_SCOPE } from '../../src/protocol/scope.ts';
import { median, percentile } from './statistics.ts';

/** What the declarations of all commands and events cost. */
export interface RegistryCost {
  readonly node: string;
  /** Look-up, scope check and argument parse of one SET_ACTIVITY, in µs. */
  readonly dispatchP50: number;
  readonly dispatchP99: number;
  /** RSS of a process with the registry minus that of one with zod alone, in MiB: median and quartiles of pairs. */
  readonly rssMiB: number;
  readonly rssLowMiB: number;
  readonly rssHighMiB: number;
}

const GOALS = { dispatchP50: 5, rssMiB: 2 } as const;
const WARM_UP = 20_000;
const SAMPLES = 20_000;
/** Requests in a sample: one alone is not much longer than reading the clock. */
const BATCH = 10;
const PAIRS = 21;

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Args of a game that shows all it can. */
const activityArgs = {
  pid: 4242,
  activity: {
    state: 'In a boat',
    details: 'Rowing upstream',
    timestamps: { start: 1_700_000_000_000 },
    assets: { large_image: 'boat', large_text: 'The boat', small_image: 'oar', small_text: 'An oar' },
    party: { id: 'crew-of-the-boat', size: [2, 4] },
    buttons: [{ label: 'Come along', url: 'https://example.test/come' }],
    instance: true,
  },
} as const;

/** Measures both; takes about ten seconds. */
export async function measureRegistry(): Promise<RegistryCost> {
  const times = dispatchTimes();
  const differences = await residentDifferences();
  return {
    node: process.version,
    dispatchP50: percentile(times, 50),
    dispatchP99: percentile(times, 99),
    rssMiB: median(differences),
    rssLowMiB: percentile(differences, 25),
    rssHighMiB: percentile(differences, 75),
  };
}

/** The measurement in lines for people, goals beside it. */
export function registryText(cost: RegistryCost): string {
  const verdict = (met: boolean): string => (met ? 'met     ' : 'NOT MET ');
  const { dispatchP50, dispatchP99, rssMiB, rssLowMiB, rssHighMiB } = cost;
  return [
    `node ${cost.node}, ${SAMPLES * BATCH} requests, ${PAIRS} interleaved pairs of processes`,
    '',
    `${verdict(dispatchP50 <= GOALS.dispatchP50)}look-up, scope and arguments of SET_ACTIVITY p50 at most ` +
      `${GOALS.dispatchP50} µs: ${dispatchP50.toFixed(2)} µs (p99 ${dispatchP99.toFixed(2)} µs)`,
    `${verdict(rssMiB <= GOALS.rssMiB)}the whole registry at most ${GOALS.rssMiB} MiB over zod alone: ` +
      `${rssMiB.toFixed(2)} MiB (quartiles ${rssLowMiB.toFixed(2)} and ${rssHighMiB.toFixed(2)})`,
    '',
  ].join('\n');
}

function dispatchTimes(): number[] {
  const held = new Set([LOCAL_SCOPE]);
  const once = (): void => {
    const command = findCommand('SET_ACTIVITY');
    if (command === undefined || !allows(command.scope, held)) throw new Error('SET_ACTIVITY is refused');
    checkArgs(command.args(), activityArgs);
  };
  for (let n = 0; n < WARM_UP; n++) once();
  return Array.from({ length: SAMPLES }, () => {
    const begin = process.hrtime.bigint();
    for (let n = 0; n < BATCH; n++) once();
    return Number(process.hrtime.bigint() - begin) / BATCH / 1000;
  });
}

/** One number a pair of processes, in MiB; they take turns, so that a mood of the machine meets both. */
async function residentDifferences(): Promise<number[]> {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'fb-bench-'));
  try {
    const print = 'process.stdout.write(String(process.memoryUsage.rss()));';
    // Both keep all of zod, which a bundler would otherwise thin out differently.
    const entries = {
      zod: `import * as z from 'zod/mini'; export { z }; ${print}`,
      registry: `import * as z from 'zod/mini'; export { z };
        export { commands, events } from './src/protocol/registry.ts'; ${print}`,
    };
    for (const [name, contents] of Object.entries(entries)) {
      await build({
        stdin: { contents, resolveDir: ROOT, loader: 'ts' },
        outfile: join(folder, `${name}.mjs`),
        bundle: true,
        format: 'esm',
        platform: 'node',
        target: 'node20.19',
        minifySyntax: true,
        minifyWhitespace: true,
        logLevel: 'warning',
      });
    }
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    const resident = (name: string): number =>
      Number(execFileSync(process.execPath, ['--max-semi-space-size=1', join(folder, `${name}.mjs`)])) /
      2 ** 20;
    return Array.from({ length: PAIRS }, () => -resident('zod') + resident('registry'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
