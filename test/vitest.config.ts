import { defineConfig } from 'vitest/config';
import { NO_FOLDERS } from './helpers/no-folders.ts';
import { PATIENCE_MS } from './helpers/patience.ts';

const root = new URL('..', import.meta.url).pathname;

/** What takes the clock of its process or measures its memory: no file before it may have left anything there. */
const ownProcess = ['test/**/*.own.test.ts'];

const elsewhere = [
  // Starts the whole program, or programs of other people: npm run test:platform.
  'test/**/*.program.test.ts',
  'test/{fault,interop}/**',
  // In a browser: the same.
  'test/{console,picture,sdk}/page/**',
  // Every operation of the platform, and stories: the same.
  'test/emulator/serve/http/{answers,bad-input}.test.ts',
  'test/stories/**',
  // Needs programs of the system, exhausts what a process may have, or packs everything: npm run test:system.
  'test/**/*.system.test.ts',
  'test/pack.test.ts',
  'test/record/clients.test.ts',
  'test/sdk/{killed,killed-call}.test.ts',
  'test/system/**',
  // Broken programs whose faults show by timing only when the machine is at rest, and the suite against whole servers:
  // npm run test:conformance.
  'test/conformance/**/{faults,exclusive-faults}.test.ts',
  'test/conformance/run.test.ts',
  'test/conformance/server/exclusive.test.ts',
];

const shared = {
  root,
  provide: { rounds: 'few' as const },
  pool: 'forks' as const,
  testTimeout: 30_000,
  hookTimeout: 60_000,
  env: NO_FOLDERS,
  // The usual 50 ms would pass after each condition has come true.
  expect: { poll: { timeout: PATIENCE_MS, interval: 5 } },
};

export default defineConfig({
  test: {
    root,
    globalSetup: ['test/helpers/bundled-programs.ts', 'test/helpers/signing-key.ts'],
    // More than twice the cores of a small machine: more than half of the time of all tests is waiting for programs and for
    // deadlines. Each more costs some three seconds of a core, for loading the sources again.
    maxWorkers: 5,
    // Sources as they were transformed last time, by what is in them: a fifth of what a run of one folder takes.
    experimental: { fsModuleCache: true },
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
