import { printTraffic, requireNoViolations } from './after-test.ts';
import { type StartEmulatorOptions, startEmulator, type TestEmulator } from './testing.ts';

/** Members of vitest's test context that this module uses. */
interface TestContext {
  /** Registers a callback that runs when the test has failed. */
  readonly onTestFailed: (callback: () => void) => void;
}

/** A fixture for `test.extend` of vitest. */
export interface BridgeFixture {
  bridge(context: TestContext, use: (bridge: TestEmulator) => Promise<void>): Promise<void>;
}

/**
 * A bridge for each test that uses it, closed at its end; when the test fails, the last 40 lines of its traffic are
 * printed in order. In strict mode, a test with a violation fails. For `test.extend` of vitest, with the whole example
 * in the README of this folder:
 *
 * ```js
 * const test = base.extend(withBridge({ consent: 'deny' }));
 * test('asks first', async ({ bridge }) => { … });
 * ```
 */
export function withBridge(options?: StartEmulatorOptions): BridgeFixture {
  return {
    bridge: async ({ onTestFailed }, use) => {
      const bridge = await startEmulator(options);
      onTestFailed(() => printTraffic(bridge));
      try {
        await use(bridge);
        await requireNoViolations(bridge);
      } finally {
        await bridge.close();
      }
    },
  };
}
