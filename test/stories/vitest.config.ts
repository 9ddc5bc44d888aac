import { defineConfig } from 'vitest/config';
import { NO_FOLDERS } from '../helpers/no-folders.ts';
import { PATIENCE_MS } from '../helpers/patience.ts';

const shared = {
  root: new URL('../..', import.meta.url).pathname,
  provide: { rounds: 'many' as const },
  pool: 'forks' as const,
  testTimeout: 60_000,
  hookTimeout: 60_000,
  env: NO_FOLDERS,
  expect: { poll: { timeout: PATIENCE_MS } },
};

/** What takes longer of the offline platform than tests of one thing may. */
export default defineConfig({
  test: {
    maxWorkers: 2,
    globalSetup: ['test/helpers/bundled-programs.ts', 'test/helpers/signing-key.ts'],
    root: shared.root,
    projects: [
      {
        // The built program, and other people's libraries as they are. What each answer says and where each connection
        // goes is watched throughout, in setup.ts.
        test: {
          ...shared,
          name: 'stories',
          include: ['test/stories/**/*.test.ts'],
          setupFiles: ['test/stories/setup.ts'],
          server: { deps: { external: [/\/dist\//] } },
        },
      },
      {
        // Every operation, as it is asked and as it is refused.
        test: {
          ...shared,
          name: 'operations',
          include: ['test/emulator/serve/http/{answers,bad-input}.test.ts'],
        },
      },
      {
        // The program as a process, with all that it finds and leaves on a machine.
        test: {
          ...shared,
          name: 'programs',
          include: ['test/**/*.program.test.ts', 'test/{fault,interop}/**/*.test.ts'],
          // As often as a race needs, and with what exhausts a process: npm run test:system.
          exclude: ['test/fault/{exhaustion,shutdown}.test.ts', 'test/interop/{burst,sequence}.test.ts'],
        },
      },
      {
        // Pages in a browser: the console's, and a game that is one.
        test: {
          ...shared,
          name: 'pages',
          include: ['test/{console,picture,sdk}/page/**/*.test.ts'],
        },
      },
    ],
  },
});
