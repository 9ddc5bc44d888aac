// Entry of `footbridge run`; the other commands start without this file. Modules that every bridge needs are in the
// same bundle, because each further file costs more start time than its content.
import { processIo } from '../daemon/io.ts';
import { run } from './commands/run.ts';
import { runProgram } from './program.ts';

// In a bundle, this file answers for `bridge-parts.ts` too, so it has all of its exports.
export {
  addEndpoint,
  commands,
  coreConformance,
  emulating,
  emulatorTable,
  endpointsOf,
  events,
  knownWords,
  listEndpoints,
  loadFixture,
  offlineOrigins,
  openConfiguration,
  platformReference,
  printMountPath,
  recording,
  reference,
  removeEndpoint,
  runDaemon,
  saveConfiguration,
  withEndpoint,
} from './bridge-parts.ts';

/** Runs a command line of `footbridge run` without loading the other commands; `command-line.ts` runs all others. */
export function runMain(argv: readonly string[]): Promise<number> {
  return runProgram(argv, [run], processIo());
}
