import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    include: ['test/**/*.test.ts'],
    // What needs programs of the system: npm run test:system.
    // Broken programs whose faults show by timing only when the machine is at rest: npm run test:conformance.
    exclude: ['test/conformance/**/faults.test.ts', 'test/system/**'],
    globalSetup: 'test/helpers/bundled-program.ts',
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
