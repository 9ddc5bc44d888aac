import { defineConfig } from 'vitest/config';

/**
 * Stories of the whole offline platform: the built program, and other people's libraries as they are. What each answer says
 * and where each connection goes is watched throughout, in setup.ts.
 */
export default defineConfig({
  test: {
    root: new URL('../..', import.meta.url).pathname,
    include: ['test/stories/**/*.test.ts'],
    setupFiles: ['test/stories/setup.ts'],
    globalSetup: 'test/helpers/bundled-programs.ts',
    provide: { rounds: 'many' },
    server: { deps: { external: [/\/dist\//] } },
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
