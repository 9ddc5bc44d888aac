import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { isLocalError, LocalError, systemCode } from '../../src/base/local-error.ts';
import { inSystemWords } from '../system-words.ts';

/** Timeout until the first writer of a FIFO (ms); a writer that has it open may take any time. */
const WRITER_MS = 5000;
/** Interval of the checks for further data (ms). */
const LOOK_MS = 20;
const CHUNK_BYTES = 64 * 1024;
/** This open never waits; Windows has no such flag, and no FIFO. */
const OPEN_AT_ONCE = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/**
 * Reads a UTF-8 text from a file, a FIFO or `/dev/stdin`, at most `limit` bytes of it. Throws the system's error, or
 * `LocalError` FOOTBRIDGE_INPUT for one that is larger, not UTF-8, or a FIFO without a writer.
 */
export function readBounded(path: string, limit: number, signal?: AbortSignal): Promise<string> {
  return joined(readParts(path, limit, signal));
}

/** The same part by part, so that it is never in memory as a whole. */
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

/** Chunks of a file that another process writes while we read. */
async function* pour(file: FileHandle, path: string, signal?: AbortSignal): AsyncGenerator<Uint8Array> {
  const isFifo = (await file.stat()).isFIFO();
  const begun = performance.now();
  let came = false;
  for (;;) {
    const { bytesRead, buffer } = await file
      .read(Buffer.alloc(CHUNK_BYTES), 0, CHUNK_BYTES, null)
      .catch((error: unknown) => {
        if (systemCode(error) !== 'EAGAIN') throw error;
        // A writer has it open, and has not written yet.
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
    await delay(LOOK_MS, undefined, { signal });
  }
}

/**
 * The same for a file that is named on the command line. Throws `LocalError` FOOTBRIDGE_INPUT for every fault of it. An
 * abort ends the wait for the writer of a FIFO; throws its reason.
 */
export async function readArgument(path: string, limit: number, signal?: AbortSignal): Promise<string> {
  try {
    return await readBounded(path, limit, signal);
  } catch (cause) {
    signal?.throwIfAborted();
    throw new LocalError('FOOTBRIDGE_INPUT', readingFailed(path, cause), { cause });
  }
}

/** The same for a regular file only: a FIFO without a writer would block, and a running bridge must not wait. */
export function rereadBounded(path: string, limit: number): Promise<string> {
  return joined(rereadParts(path, limit));
}

/** The same part by part. */
export async function* rereadParts(path: string, limit: number): AsyncGenerator<string> {
  // The open never waits, and the opened file is the one that is checked.
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

/** The same for a stream that is already open; `name` names it in errors. */
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
  // The stream has no encoding, so it emits bytes.
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

/** One line with the path and the reason of a failed read of the functions above. */
export function readingFailed(path: string, error: unknown): string {
  if (isLocalError(error)) return error.message;
  return `${path}: cannot be read: ${inSystemWords(error)}. Give a file that is there and that you may read.`;
}
