import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    include: ['test/**/*.test.ts'],
    // Broken programs whose faults show by timing only when the machine is at rest: npm run test:conformance.
    // What needs a service manager of the system, and minutes: npm run test:system.
    exclude: ['test/conformance/**/faults.test.ts', 'test/system/**'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
