import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { NO_FOLDERS } from '../helpers/no-folders.ts';
import { FOLDERS } from './folders.ts';

/** Set by `run.ts`: the folder whose mutants are tested. */
const folder = FOLDERS[process.env['MUTATED_FOLDER'] ?? ''];

/** One worker for the tests of a folder, which `worker.ts` runs once per mutant. */
export default defineConfig({
  resolve: {
    alias: [
      {
        find: /^(?:\.{1,2}\/)+(?:src\/)?base\/once\.ts$/,
        replacement: fileURLToPath(new URL('once-per-test.ts', import.meta.url)),
      },
    ],
  },
  test: {
    root: new URL('../..', import.meta.url).pathname,
    include: ['test/mutation/start.ts', ...(folder?.tests ?? [])],
    exclude: ['test/**/*.{program,system}.test.ts', ...(folder?.without ?? [])],
    globalSetup: ['test/helpers/signing-key.ts'],
    provide: { rounds: 'few' },
    runner: './test/mutation/worker.ts',
    reporters: [{}],
    pool: 'threads',
    isolate: false,
    maxWorkers: 1,
    // Of the run without mutants, which measures the tests; each mutant's follow from that (mutant-runner.ts).
    env: NO_FOLDERS,
    testTimeout: 120_000,
    hookTimeout: 10_000,
    expect: { poll: { timeout: 2000 } },
  },
});
