// What has a bridge in it, or a good part of one: the other commands start without it. What every bridge needs is loaded as
// one, because each further file costs a start more than it holds.
import { processIo } from '../daemon/io.ts';
import { run } from './commands/run.ts';
import { runProgram } from './program.ts';

export { loadFixture } from '../daemon/emulator.ts';
export { runDaemon } from '../daemon/run.ts';
export { defaultFixture } from '../emulator/fixture/default.ts';
export { fixtureToToml } from '../emulator/fixture/toml.ts';
export { commands, events } from '../protocol/registry.ts';
export { knownWords } from './known-words.ts';

/** What only other commands need. */
export const reference = () => import('../protocol/reference.ts');
export const platformReference = () => import('../emulator/http/openapi.ts');
export const coreConformance = () => import('./conformance-core.ts');
export const emulating = () => import('./emulate/emulate.ts');
export const recording = () => import('./record/recording.ts');

/** Runs a command line of `footbridge run`, as `command-line.ts` does any, without loading the other commands. */
export function runMain(argv: readonly string[]): Promise<number> {
  return runProgram(argv, [run], processIo());
}
