// What has a bridge in it, or a good part of one: the other commands start without it. What every bridge needs is loaded as
// one, because each further file costs a start more than it holds.
import { processIo } from '../daemon/io.ts';
import { run } from './commands/run.ts';
import { runProgram } from './program.ts';

export {
  commands,
  coreConformance,
  emulating,
  emulatorTable,
  events,
  knownWords,
  loadFixture,
  platformReference,
  recording,
  reference,
  runDaemon,
} from './bridge-parts.ts';

/** Runs a command line of `footbridge run`, as `command-line.ts` does any, without loading the other commands. */
export function runMain(argv: readonly string[]): Promise<number> {
  return runProgram(argv, [run], processIo());
}
