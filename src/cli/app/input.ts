import { collect, readArgument } from '../../../platform/files/read-bounded.ts';
import type { Io } from '../../daemon/io.ts';
import { PERSON_MS, type TimeLimit } from './time-limit.ts';

/** The servers' own limit is lower; this one protects us from a wrong file. */
const MAX_INPUT_BYTES = 4 * 1024 * 1024;
/** Whoever waits for longer is told for what (ms). */
const PATIENCE_MS = 1000;

/** The text of a file, `-` for stdin. Throws `LocalError` FOOTBRIDGE_INPUT, or what the limit aborts with. */
export async function readInput(path: string, limit: TimeLimit, io: Io): Promise<string> {
  // Of a terminal too, where a person types.
  if (path === '-') return collect(io.stdin, MAX_INPUT_BYTES, 'stdin');
  limit.next(`end of ${path}`, PERSON_MS);
  const read = readArgument(path, MAX_INPUT_BYTES, limit.signal);
  return toldAfterAWhile(read, `waiting for the end of ${path}`, io);
}

/** Says what is waited for when it takes long, on stderr. */
export async function toldAfterAWhile<T>(task: Promise<T>, what: string, io: Io): Promise<T> {
  const hint = setTimeout(() => io.err(`footbridge: ${what}\n`), PATIENCE_MS);
  try {
    return await task;
  } finally {
    clearTimeout(hint);
  }
}
