import { defineConfig } from 'vitest/config';
import { FOLDERS } from './folders.ts';

/** Set by `run.ts`: the folder whose mutants are tested. */
const folder = FOLDERS[process.env['MUTATED_FOLDER'] ?? ''];

/** One worker for the tests of a folder, which `worker.ts` runs once per mutant. */
export default defineConfig({
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
    // Shorter than in `npm test`: with a mutant, what does not happen is the rule and not the exception.
    testTimeout: 20_000,
    hookTimeout: 10_000,
    expect: { poll: { timeout: 2000 } },
  },
});
