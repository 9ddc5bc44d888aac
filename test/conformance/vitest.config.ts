import { defineConfig } from 'vitest/config';

/** The proof that every case catches a broken program; one at a time, because some faults are a matter of timing. */
export default defineConfig({
  test: {
    root: new URL('../..', import.meta.url).pathname,
    include: ['test/conformance/**/{faults,exclusive-faults}.test.ts'],
    pool: 'forks',
    maxWorkers: 1,
    testTimeout: 60_000,
  },
});
