import { defineConfig } from 'vitest/config';
import { PATIENCE_MS } from './helpers/patience.ts';

export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    include: ['test/**/*.test.ts'],
    // What needs programs of the system: npm run test:system.
    // Broken programs whose faults show by timing only when the machine is at rest: npm run test:conformance.
    // The suite against whole servers, too.
    // Whole programs against other people's libraries, and every operation of the platform: npm run test:platform.
    exclude: [
      'test/conformance/**/{faults,exclusive-faults}.test.ts',
      'test/conformance/run.test.ts',
      'test/conformance/server/exclusive.test.ts',
      'test/emulator/http/{answers,bad-input}.test.ts',
      // In a browser: npm run test:platform.
      'test/console/page/**',
      'test/sdk/page/**',
      // Exhausts what a process may have, and packs everything: npm run test:system.
      'test/fault/exhaustion.test.ts',
      'test/pack.test.ts',
      'test/stories/**',
      'test/system/**',
    ],
    globalSetup: ['test/helpers/bundled-programs.ts', 'test/helpers/signing-key.ts'],
    provide: { rounds: 'few' },
    pool: 'forks',
    // Files run one after the other in the same few processes: a process for each, and each module loaded again there,
    // costs more than half of the tests themselves. What a file leaves behind is a fault of that file.
    isolate: false,
    // One more than a small machine has cores: part of the tests wait for programs, or for a deadline.
    maxWorkers: 3,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: PATIENCE_MS } },
  },
});
