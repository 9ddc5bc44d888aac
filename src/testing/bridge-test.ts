import { systemCode } from '../base/local-error.ts';
import { printTraffic, requireNoViolations } from './after-test.ts';
import { type StartEmulatorOptions, startEmulator, type TestEmulator } from './testing.ts';

/**
 * Makes tests that have a bridge each, closed at their end, for runners without fixtures such as node:test and jest. When a
 * test fails, its traffic is printed in order. In strict mode, a test with a violation fails.
 *
 * ```js
 * const bridged = withBridge({ consent: 'deny' });
 * test('asks first', bridged(async (bridge) => { … }));
 * ```
 */
export function withBridge(
  options?: StartEmulatorOptions,
): <More extends readonly unknown[]>(
  test: (bridge: TestEmulator, ...more: More) => unknown,
) => (...more: More) => Promise<void> {
  // A function with rest parameters alone has no length, so that no runner waits for a callback.
  return (test) =>
    async (...more) => {
      const bridge = await startEmulator(options);
      try {
        await test(bridge, ...more);
        await requireNoViolations(bridge);
      } catch (error) {
        // The report of a scenario has its traffic.
        if (systemCode(error) !== 'FOOTBRIDGE_SCENARIO') printTraffic(bridge);
        throw error;
      } finally {
        await bridge.close();
      }
    };
}
