// Entry of `footbridge run`; the other commands start without this file.
import { processIo } from '../daemon/io.ts';
import { run } from './commands/run.ts';
import { runProgram } from './program.ts';

/** Runs a command line of `footbridge run` without loading the other commands; `command-line.ts` runs all others. */
export function runMain(argv: readonly string[]): Promise<number> {
  return runProgram(argv, [run], processIo());
}
