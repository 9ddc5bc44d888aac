// Modules that load most of a bridge. Commands import this file when they run, so that a command without a bridge
// starts without these modules.
export { loadFixture } from '../daemon/emulator.ts';
export { runDaemon } from '../daemon/run.ts';
export { commands, events } from '../protocol/registry.ts';
export { withEndpoint } from './endpoints/edit.ts';
export { addEndpoint, listEndpoints, printMountPath, removeEndpoint } from './endpoints/endpoints.ts';
export { endpointsOf, openConfiguration, saveConfiguration } from './endpoints/file.ts';
export { knownValues as knownWords } from './known-values.ts';
export { offlineOrigins } from './origins-offline.ts';

/** Modules that only commands other than `run` need. */
export const reference = () => import('../protocol/reference.ts');
export const platformReference = () => import('../emulator/compose/reference.ts');
export const coreConformance = () => import('./conformance-core.ts');
export const emulating = () => import('./emulate/emulate.ts');
export const recording = () => import('./record/recording.ts');
/** Commands of the emulator. Loaded late: their operations are declared in modules that a bridge loads. */
export const emulatorTable = () => import('./emulator-table.ts');
