import type { TestEmulator } from './testing.ts';
import { violationsText } from './violations.ts';

/** Prints the last 40 lines of the traffic of a failed test. */
export function printTraffic(bridge: TestEmulator): void {
  process.stderr.write(`What passed the bridge:\n${bridge.transcript({ full: false })}`);
}

/** Fails a test in which a bot broke a rule of strict mode. @throws Error with the violations */
export async function requireNoViolations(bridge: TestEmulator): Promise<void> {
  const violations = await bridge.violations();
  if (violations.length > 0) throw new Error(violationsText(violations));
}
