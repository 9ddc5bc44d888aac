// A bridge, or a good part of one: commands load it when they run, and the others start without it.
export { loadFixture } from '../daemon/emulator.ts';
export { runDaemon } from '../daemon/run.ts';
export { commands, events } from '../protocol/registry.ts';
export { knownWords } from './known-words.ts';

/** What only other commands need. */
export const reference = () => import('../protocol/reference.ts');
export const platformReference = () => import('../emulator/compose/reference.ts');
export const coreConformance = () => import('./conformance-core.ts');
export const emulating = () => import('./emulate/emulate.ts');
export const recording = () => import('./record/recording.ts');
/** The commands of the emulator: the operations that they call are declared where they are done, in what a bridge loads. */
export const emulatorTable = () => import('./emulator-table.ts');
