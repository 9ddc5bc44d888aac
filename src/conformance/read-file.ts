import { closeSync, constants, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { UsageError } from './failure.ts';
import { describeSystemError } from './system-error.ts';

/** Maximum size in bytes of a file that an option names: far above any list or vector file. */
const MAX_BYTES = 8 * 1024 * 1024;
/** Time for a writer to start writing to a pipe, and interval of the checks (ms). */
const WRITER_MS = 5000;
const POLL_MS = 20;

/** Reads a UTF-8 file that an option names. Throws {@link UsageError}. */
export function readTextFile(file: string, option: string): string {
  const bad = (problem: string): UsageError => new UsageError(`${option}: ${file}: ${problem}`);
  let bytes: Uint8Array;
  try {
    // The non-blocking open does not wait for the writer of a pipe; all checks use the opened file.
    const fd = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      const status = fstatSync(fd);
      if (status.isFIFO()) bytes = readPipe(fd);
      else if (status.size > MAX_BYTES) throw bad(`is larger than ${MAX_BYTES} bytes; give a smaller one`);
      else bytes = readFileSync(fd);
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw bad(`${describeSystemError(error)}; give a file that can be read`);
  }
  if (bytes.byteLength > MAX_BYTES) throw bad(`is larger than ${MAX_BYTES} bytes; give a smaller one`);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw bad('is no text in UTF-8; save it as UTF-8');
  }
}

/** Content of a pipe, cut a little above the limit. Throws Error without a writer. */
function readPipe(fd: number): Uint8Array {
  const chunks: Uint8Array[] = [];
  let size = 0;
  let isOpen = false;
  const begun = performance.now();
  while (size <= MAX_BYTES) {
    const chunk = new Uint8Array(64 * 1024);
    const length = readSome(fd, chunk);
    if (length === undefined) isOpen = true;
    else if (length > 0) {
      chunks.push(chunk.subarray(0, length));
      size += length;
      continue;
    } else if (isOpen || size > 0) break;
    else if (performance.now() - begun > WRITER_MS) throw new Error('nobody writes to this pipe');
    // A blocking wait is harmless: nothing else runs before the options are read.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, POLL_MS);
  }
  return Buffer.concat(chunks);
}

/** Number of read bytes: 0 at the end or without a writer, undefined while a writer has written nothing yet. */
function readSome(fd: number, chunk: Uint8Array): number | undefined {
  try {
    return readSync(fd, chunk);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EAGAIN') return undefined;
    throw error;
  }
}
