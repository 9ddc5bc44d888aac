import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { isLocalError, LocalError, systemCode } from './local-error.ts';

/**
 * Reads a UTF-8 text from a file, a FIFO or `/dev/stdin`, at most `limit` bytes of it. Throws the system's error,
 * or `LocalError` FOOTBRIDGE_INPUT when it is larger or not UTF-8.
 */
export async function readBounded(path: string, limit: number): Promise<string> {
  const file = await open(path, 'r');
  try {
    return await collect(file.createReadStream({ autoClose: false, end: limit }), limit, path);
  } finally {
    await file.close();
  }
}

/** The same for a file that is named on the command line. Throws `LocalError` FOOTBRIDGE_INPUT whatever is wrong with it. */
export async function readArgument(path: string, limit: number): Promise<string> {
  try {
    return await readBounded(path, limit);
  } catch (cause) {
    throw new LocalError('FOOTBRIDGE_INPUT', readingFailed(path, cause), { cause });
  }
}

/** The same for a regular file only: a FIFO without a writer would be waited for, and a running bridge cannot wait. */
export async function rereadBounded(path: string, limit: number): Promise<string> {
  // The open never waits, and what was opened is what is looked at.
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    if (!(await file.stat()).isFile())
      throw new LocalError('FOOTBRIDGE_INPUT', `${path}: only a regular file can be read here.`);
    return await collect(file.createReadStream({ autoClose: false, end: limit }), limit, path);
  } finally {
    await file.close();
  }
}

/** The same for a stream that is already open; `name` names it in errors. */
export async function collect(stream: Readable, limit: number, name: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > limit) throw new LocalError('FOOTBRIDGE_INPUT', `${name}: at most ${limit} bytes are read.`);
    chunks.push(chunk);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  } catch (cause) {
    throw new LocalError('FOOTBRIDGE_INPUT', `${name}: the text is not UTF-8.`, { cause });
  }
}

/** One line on why one of the above failed: the path and the reason. */
export function readingFailed(path: string, error: unknown): string {
  if (isLocalError(error)) return error.message;
  const reason = systemCode(error) ?? (error instanceof Error ? error.message : String(error));
  return `${path}: cannot be read: ${reason}. Give a file that is there and that you may read.`;
}
