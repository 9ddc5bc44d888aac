// What the one bundle of the program exports: its command line, and what the package's subpaths offer.
import { processIo } from './io.ts';
import { runProgram } from './program.ts';
import { commandTable } from './table.ts';

export {
  CloseCode,
  CloseError,
  contract,
  defineOperation,
  ErrorCode,
  RpcError,
} from '../core/entry.ts';
export {
  createServer,
  defaultLimits,
  localSocket,
  loopbackPort,
  memoryTransport,
  silentLogger,
} from '../server/entry.ts';
export { startEmulator } from './testing.ts';

/**
 * Runs one command line, without `node` and the program's name, on this process's streams and environment. The caller
 * sets `process.exitCode` and lets the process end by itself: what was written to a slow pipe still gets out.
 */
export function runMain(argv: readonly string[]): Promise<number> {
  return runProgram(argv, commandTable, processIo());
}
