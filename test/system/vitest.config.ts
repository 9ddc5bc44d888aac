import { defineConfig } from 'vitest/config';
import { NO_FOLDERS } from '../helpers/no-folders.ts';
import { PATIENCE_MS } from '../helpers/patience.ts';

/**
 * What needs programs of the system, such as systemd or Wine, each skipped with its reason where it cannot run, and what
 * `npm test` repeats a few times only or leaves out; one file at a time.
 */
export default defineConfig({
  test: {
    root: new URL('../..', import.meta.url).pathname,
    include: [
      'test/system/**/*.test.ts',
      'test/**/*.system.test.ts',
      'test/base/compile.test.ts',
      'test/emulator/accounts/properties.test.ts',
      'test/emulator/compose/fixture/properties.test.ts',
      'test/fault/exhaustion.test.ts',
      'test/fault/shutdown.test.ts',
      'test/fuzz/sessions.test.ts',
      'test/interop/burst.test.ts',
      'test/interop/sequence.test.ts',
      'test/pack.test.ts',
      'test/platform/endpoint/claim-race.test.ts',
      'test/record/clients.test.ts',
      'test/sdk/killed-call.test.ts',
      'test/sdk/killed.test.ts',
    ],
    provide: { rounds: 'many' },
    globalSetup: ['test/helpers/bundled-programs.ts', 'test/helpers/signing-key.ts'],
    pool: 'forks',
    maxWorkers: 1,
    testTimeout: 120_000,
    hookTimeout: 300_000,
    env: NO_FOLDERS,
    expect: { poll: { timeout: PATIENCE_MS } },
  },
});
