/** Bridges in tests: `footbridge/testing`. */

export type { ScenarioStep, ScenarioTree } from '../scenario/generated.ts';
export { withBridge } from './bridge-test.ts';
export { type BuiltScenario, scenario } from './scenario.ts';
export type * from './testing.ts';
export { startEmulator } from './testing.ts';
