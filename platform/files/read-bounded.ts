import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { isLocalError, LocalError, systemCode } from '../../src/base/local-error.ts';
import { systemErrorText } from '../system-error-text.ts';

/** Time limit for the first writer of a FIFO to open it (ms). A writer that has opened it may take any time. */
const WRITER_MS = 5000;
/** Interval of the checks for further data (ms). */
const POLL_MS = 20;
const CHUNK_BYTES = 64 * 1024;
/** Flags with which an open never waits. Windows lacks `O_NONBLOCK`, and has no FIFO. */
const OPEN_AT_ONCE = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/**
 * Reads a UTF-8 text of at most `limit` bytes from a file, a FIFO or `/dev/stdin`. Throws the operating system's error,
 * or `LocalError` FOOTBRIDGE_INPUT when the text is larger or not UTF-8, or when a FIFO has no writer.
 */
export function readBounded(path: string, limit: number, signal?: AbortSignal): Promise<string> {
  return joined(readParts(path, limit, signal));
}

/** Reads like {@link readBounded}, part by part, so that the text is never in memory as a whole. */
export async function* readParts(path: string, limit: number, signal?: AbortSignal): AsyncGenerator<string> {
  const file = await open(path, OPEN_AT_ONCE);
  try {
    const status = await file.stat();
    if (status.isFile() && status.size > limit) throw tooLarge(path, limit);
    const chunks = status.isFile()
      ? file.createReadStream({ autoClose: false, end: limit })
      : pour(file, path, signal);
    yield* textOf(chunks, limit, path);
  } finally {
    await file.close();
  }
}

/** Yields the chunks of a FIFO or device while another process writes to it. */
async function* pour(file: FileHandle, path: string, signal?: AbortSignal): AsyncGenerator<Uint8Array> {
  const isFifo = (await file.stat()).isFIFO();
  const begun = performance.now();
  let came = false;
  for (;;) {
    const { bytesRead, buffer } = await file
      .read(Buffer.alloc(CHUNK_BYTES), 0, CHUNK_BYTES, null)
      .catch((error: unknown) => {
        if (systemCode(error) !== 'EAGAIN') throw error;
        // A writer has opened the FIFO and has not written yet.
        came = true;
        return { bytesRead: -1, buffer: Buffer.alloc(0) };
      });
    if (bytesRead > 0) {
      came = true;
      yield buffer.subarray(0, bytesRead);
      continue;
    }
    if (bytesRead === 0 && (came || !isFifo)) return;
    if (bytesRead === 0 && performance.now() - begun > WRITER_MS) {
      throw new LocalError(
        'FOOTBRIDGE_INPUT',
        `${path}: nobody writes to this pipe. Start what writes to it first, or give a file.`,
      );
    }
    await delay(POLL_MS, undefined, { signal });
  }
}

/**
 * Reads a file that is named on the command line, like {@link readBounded}. Throws `LocalError` FOOTBRIDGE_INPUT for
 * every error of it. An abort ends the wait for the writer of a FIFO, and throws the signal's reason.
 */
export async function readArgument(path: string, limit: number, signal?: AbortSignal): Promise<string> {
  try {
    return await readBounded(path, limit, signal);
  } catch (cause) {
    signal?.throwIfAborted();
    throw new LocalError('FOOTBRIDGE_INPUT', readingFailed(path, cause), { cause });
  }
}

/**
 * Reads only a regular file, else like {@link readBounded}: a running bridge must not wait for the writer of a FIFO.
 */
export function rereadBounded(path: string, limit: number): Promise<string> {
  return joined(rereadParts(path, limit));
}

/** The same part by part. */
export async function* rereadParts(path: string, limit: number): AsyncGenerator<string> {
  // The open never waits, and the check applies to the opened file itself.
  const file = await open(path, OPEN_AT_ONCE);
  try {
    const status = await file.stat();
    if (!status.isFile())
      throw new LocalError(
        'FOOTBRIDGE_INPUT',
        `${path}: only a regular file can be read here. Put one in its place.`,
      );
    if (status.size > limit) throw tooLarge(path, limit);
    yield* textOf(file.createReadStream({ autoClose: false, end: limit }), limit, path);
  } finally {
    await file.close();
  }
}

/** Reads a stream that is already open, else like {@link readBounded}; errors contain `name`. */
export function collect(
  stream: AsyncIterable<Uint8Array | string>,
  limit: number,
  name: string,
): Promise<string> {
  return joined(textOf(stream, limit, name));
}

/** The same part by part. */
export async function* textOf(
  stream: AsyncIterable<Uint8Array | string>,
  limit: number,
  name: string,
): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const decode = (chunk?: Uint8Array): string => {
    try {
      return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true });
    } catch (cause) {
      throw new LocalError('FOOTBRIDGE_INPUT', `${name}: the text is not UTF-8. Save it as UTF-8.`, {
        cause,
      });
    }
  };
  let size = 0;
  // The stream has no encoding set, so it emits bytes.
  for await (const chunk of stream as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size > limit) throw tooLarge(name, limit);
    yield decode(chunk);
  }
  yield decode();
}

function tooLarge(name: string, limit: number): LocalError {
  return new LocalError(
    'FOOTBRIDGE_INPUT',
    `${name}: is too large: at most ${limit} bytes are read. Give a smaller one.`,
  );
}

async function joined(parts: AsyncIterable<string>): Promise<string> {
  const all: string[] = [];
  for await (const part of parts) all.push(part);
  return all.join('');
}

/** Describes in one line why a read of the functions above failed, with the path. */
export function readingFailed(path: string, error: unknown): string {
  if (isLocalError(error)) return error.message;
  return `${path}: cannot be read: ${systemErrorText(error)}. Give a file that is there and that you may read.`;
}
