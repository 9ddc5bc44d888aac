import { defineConfig } from 'vitest/config';

/** What is told of the process that runs it, so that each has one of its own: the others share theirs, file after file. */
const ALONE: readonly string[] = [];

export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    include: ['test/**/*.test.ts'],
    // What needs programs of the system: npm run test:system.
    // Broken programs whose faults show by timing only when the machine is at rest: npm run test:conformance.
    exclude: ['test/conformance/**/faults.test.ts', 'test/system/**'],
    globalSetup: 'test/helpers/bundled-programs.ts',
    pool: 'forks',
    isolate: false,
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
