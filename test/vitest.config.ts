import { defineConfig } from 'vitest/config';
import { filesWithOwnProcess } from './helpers/of-the-process.ts';
import { PATIENCE_MS } from './helpers/patience.ts';

const root = new URL('..', import.meta.url).pathname;
const ownProcess = filesWithOwnProcess(root);

// What needs programs of the system: npm run test:system.
// Broken programs whose faults show by timing only when the machine is at rest: npm run test:conformance.
// The suite against whole servers, too.
// Whole programs against other people's libraries, and every operation of the platform: npm run test:platform.
const elsewhere = [
  'test/conformance/**/{faults,exclusive-faults}.test.ts',
  'test/conformance/run.test.ts',
  'test/conformance/server/exclusive.test.ts',
  'test/emulator/serve/http/{answers,bad-input}.test.ts',
  // In a browser: npm run test:platform.
  'test/console/page/**',
  'test/sdk/page/**',
  // Exhausts what a process may have, and packs everything: npm run test:system.
  'test/fault/exhaustion.test.ts',
  'test/pack.test.ts',
  'test/stories/**',
  'test/system/**',
];

const shared = {
  root,
  provide: { rounds: 'few' as const },
  pool: 'forks' as const,
  testTimeout: 30_000,
  hookTimeout: 60_000,
  expect: { poll: { timeout: PATIENCE_MS } },
};

export default defineConfig({
  test: {
    root,
    globalSetup: ['test/helpers/bundled-programs.ts', 'test/helpers/signing-key.ts'],
    // One more than a small machine has cores: part of the tests wait for programs, or for a deadline.
    maxWorkers: 3,
    projects: [
      {
        // Files run one after the other in the same few processes: a process for each, and each module loaded again
        // there, costs more than half of the tests themselves. What a file leaves behind is a fault of that file.
        test: {
          ...shared,
          name: 'together',
          isolate: false,
          include: ['test/**/*.test.ts'],
          exclude: [...elsewhere, ...ownProcess],
        },
      },
      { test: { ...shared, name: 'own process', isolate: true, include: ownProcess, exclude: elsewhere } },
    ],
  },
});
