// `npm run test:mutation [-- FOLDER… [--sample N [--seed S]]]`: changes the source of a folder in one place, runs the tests of that place, and again for the
// next. What no test notices is listed; fails where that is more than a tenth. Figures, and what stays unmutated: CONTRIBUTING.
import { readFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import type { LogLevel, MutantResult, PartialStrykerOptions } from '@stryker-mutator/api/core';
import { Stryker } from '@stryker-mutator/core';
import { build } from 'esbuild';
import { root } from '../../.ci/bundle.ts';
import { readArguments } from './arguments.ts';
import { EQUIVALENT } from './equivalent.ts';
import { FOLDERS } from './folders.ts';
import type { SampleOptions } from './sample.ts';
import {
  describeMutant,
  describeSamples,
  MIN_SCORE,
  type Summary,
  summarize,
  type TestedMutant,
  tableOf,
} from './summary.ts';

const command = readArguments(process.argv.slice(2), Math.floor(Math.random() * 2 ** 32));
if (command.kind !== 'run') {
  if (command.kind === 'help') process.stdout.write(command.text);
  else process.stderr.write(`${command.message}\n`);
  process.exit(command.kind === 'help' ? 0 : 2);
}
const { folders, sample } = command;

// Stryker loads it in processes that know no TypeScript.
const plugin = join(root, 'node_modules/.cache/footbridge-mutants.mjs');
await build({
  entryPoints: [join(root, 'test/mutation/stryker-plugin.ts')],
  outfile: plugin,
  bundle: true,
  packages: 'external',
  format: 'esm',
  platform: 'node',
});

const summaries = new Map<string, Summary>();
for (const name of folders) {
  const summary = summarize((await resultsOf(name)).map(asTested), EQUIVALENT);
  summaries.set(name, summary);
  const listed = (title: string, mutants: readonly TestedMutant[]): string =>
    mutants.length === 0 ? '' : `\n${name}: ${title}\n${mutants.map(describeMutant).join('\n')}\n`;
  process.stdout.write(listed('equivalent', summary.equivalent) + listed('survived', summary.survivors));
}
process.stdout.write(`\n${tableOf(summaries)}\n`);
if (sample) process.stdout.write(`\n${describeSamples(summaries, sample)}\n`);
// Stryker's helpers may still be on their way out.
process.exit([...summaries.values()].every(({ score }) => score >= MIN_SCORE) ? 0 : 1);

async function resultsOf(name: string): Promise<MutantResult[]> {
  const folder = FOLDERS[name];
  if (!folder) return [];
  // `vitest.config.ts` reads it in each of Stryker's processes.
  process.env['MUTATED_FOLDER'] = name;
  process.stdout.write(`\ntest:mutation: ${name}\n`);
  const options: PartialStrykerOptions & { readonly sample: SampleOptions | undefined } = {
    mutate: [...folder.mutate],
    testRunner: 'one-worker',
    ignorers: ['doc-texts'],
    plugins: [plugin],
    coverageAnalysis: 'perTest',
    reporters: ['live'],
    sample,
    ignoreStatic: folder.ignoreStatic ?? false,
    concurrency: Number(process.env['MUTATION_WORKERS']) || availableParallelism(),
    // Outside of the checkout, whose tools would look into it.
    tempDirName: join(tmpdir(), 'footbridge-mutants'),
    cleanTempDir: 'always',
    ignorePatterns: ['dist', 'dist.*', '.git', '*.tgz'],
    disableTypeChecks: false,
    // Only the sources themselves are of interest, and the compiler has no API for Stryker to read its configuration with.
    tsconfigFile: 'none',
    // The tests take a minute at most; a busy machine takes many times as long.
    dryRunTimeoutMinutes: 20,
    // Beyond one and a half times what the tests of the mutant take; a lazy folder runs all its tests after them.
    timeoutMS: folder.lazy ? 120_000 : 10_000,
    maxTestRunnerReuse: 500,
    allowConsoleColors: false,
    logLevel: 'warn' as LogLevel,
  };
  return new Stryker(options).runMutationTest();
}

function asTested({
  fileName,
  status,
  statusReason: reason,
  location,
  replacement,
}: MutantResult): TestedMutant {
  const { line, column } = location.start;
  const source = readFileSync(fileName, 'utf8').split('\n')[line - 1]?.trim() ?? '';
  return { file: relative(root, fileName), status, line, column, source, replacement, reason };
}
