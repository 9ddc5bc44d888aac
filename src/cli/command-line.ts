import { processIo } from '../daemon/io.ts';
import { runProgram } from './program.ts';
import { commandTable } from './table.ts';

export { commandTable };

/**
 * Runs one command line, without `node` and the program's name, on this process's streams and environment. The caller
 * sets `process.exitCode` and lets the process end by itself.
 */
export function runMain(argv: readonly string[]): Promise<number> {
  return runProgram(argv, commandTable, processIo());
}
