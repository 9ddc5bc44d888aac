import { defineConfig } from 'vitest/config';

/** What needs programs of the system, such as systemd or Wine: one at a time, each skipped with its reason where it cannot run. */
export default defineConfig({
  test: {
    root: new URL('../..', import.meta.url).pathname,
    include: ['test/system/**/*.test.ts'],
    pool: 'forks',
    maxWorkers: 1,
    testTimeout: 120_000,
    hookTimeout: 300_000,
  },
});
