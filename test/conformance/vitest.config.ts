import { defineConfig } from 'vitest/config';
import { NO_FOLDERS } from '../helpers/no-folders.ts';
import { PATIENCE_MS } from '../helpers/patience.ts';

/**
 * The proof that every case catches a broken program; one at a time, because some faults are a matter of timing. And the
 * suite as a whole, which waits for deadlines.
 */
export default defineConfig({
  test: {
    root: new URL('../..', import.meta.url).pathname,
    include: [
      'test/conformance/**/{faults,exclusive-faults}.test.ts',
      'test/conformance/run.test.ts',
      'test/conformance/server/exclusive.test.ts',
    ],
    globalSetup: ['test/helpers/bundled-programs.ts', 'test/helpers/signing-key.ts'],
    provide: { rounds: 'few' },
    pool: 'forks',
    maxWorkers: 1,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    env: NO_FOLDERS,
    expect: { poll: { timeout: PATIENCE_MS } },
  },
});
