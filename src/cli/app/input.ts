import { collect, readArgument } from '../../../platform/files/read-bounded.ts';
import { withCallableCommands } from '../../daemon/called-as.ts';
import type { Io } from '../../daemon/io.ts';
import { type TimeLimit, USER_MS } from './time-limit.ts';

/**
 * Maximum size of the input (bytes): servers have a lower limit, and this limit protects the process from a wrong file.
 */
const MAX_INPUT_BYTES = 4 * 1024 * 1024;
/** Delay before a hint on stderr names the awaited file (ms). */
const HINT_AFTER_MS = 1000;

/** Text of a file, `-` for stdin. Throws `LocalError` FOOTBRIDGE_INPUT, or the abort reason of the limit. */
export async function readInput(path: string, limit: TimeLimit, io: Io): Promise<string> {
  // The limit is not started: stdin may be a terminal, in which a user types.
  if (path === '-') return collect(io.stdin, MAX_INPUT_BYTES, 'stdin');
  limit.next(`end of ${path}`, USER_MS);
  const read = readArgument(path, MAX_INPUT_BYTES, limit.signal);
  return withDelayedHint(read, `waiting for the end of ${path}`, io);
}

/** Prints a hint on stderr when the task takes long. */
export async function withDelayedHint<T>(task: Promise<T>, what: string, io: Io): Promise<T> {
  const text = withCallableCommands(`footbridge: ${what}\n`, io.env);
  const hint = setTimeout(() => io.err(text), HINT_AFTER_MS);
  try {
    return await task;
  } finally {
    clearTimeout(hint);
  }
}
