import { closeSync, constants, fstatSync, openSync, type Stats, writeSync } from 'node:fs';
import type { Writable } from 'node:stream';
import { systemCode } from '../../base/local-error.ts';

/** Result of a write. `blocked`: the reader does not read at the moment. `failed`: disk full, reader closed. */
export type WriteResult =
  | { readonly kind: 'written'; readonly bytes: number }
  | { readonly kind: 'blocked' }
  | { readonly kind: 'failed'; readonly code: string };

/** Output that accepts bytes at once or reports that it cannot. Never waits, never throws. */
export interface Sink {
  /** Accepts all of `bytes`, the first part of them, or none. */
  write(bytes: Uint8Array): WriteResult;
  /** Registers a callback for a blocked sink that may accept bytes again; absent where only a retry can find out. */
  readonly onWritable?: (resume: () => void) => void;
  close(): void;
}

/**
 * The sink for a descriptor we inherited. Other processes may share it, so its flags stay as they are: a pipe or
 * terminal is opened a second time, for writing without waiting. A descriptor that cannot be opened again (the socket
 * to journald) goes through `stream`, Node's own object for that descriptor.
 */
export function openSink(fd: number, stream: () => Writable): Sink {
  const status = statusOf(fd);
  // Started without a console, a program on Windows has descriptors that lead nowhere; Node's object discards the
  // output.
  if (status === undefined) return streamSink(stream());
  if (status.isFIFO() || status.isCharacterDevice()) {
    const own = reopen(fd);
    return own === undefined ? streamSink(stream()) : descriptorSink(own, () => closeSync(own));
  }
  if (status.isSocket()) return streamSink(stream());
  return descriptorSink(fd, () => {});
}

function statusOf(fd: number): Stats | undefined {
  try {
    return fstatSync(fd);
  } catch {
    return undefined;
  }
}

/** Only Linux opens a second open file; elsewhere the path merely duplicates the descriptor. */
function reopen(fd: number): number | undefined {
  if (process.platform !== 'linux') return undefined;
  const flags = constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY | constants.O_APPEND;
  try {
    return openSync(`/proc/self/fd/${fd}`, flags);
  } catch {
    return undefined;
  }
}

function descriptorSink(fd: number, close: () => void): Sink {
  return {
    write(bytes) {
      try {
        return { kind: 'written', bytes: writeSync(fd, bytes) };
      } catch (error) {
        const code = systemCode(error) ?? 'EIO';
        return code === 'EAGAIN' ? { kind: 'blocked' } : { kind: 'failed', code };
      }
    },
    close,
  };
}

type StreamState =
  | { readonly kind: 'idle' | 'busy' }
  /** A stream that failed once does not recover. */
  | { readonly kind: 'failed'; readonly code: string };

/** One write in flight at most: the rest waits in the bounded queue above, not in the stream's unbounded one. */
function streamSink(stream: Writable): Sink {
  let state: StreamState = { kind: 'idle' };
  let resume = (): void => {};
  const become = (next: StreamState): void => {
    if (state.kind === 'failed') return;
    state = next;
    resume();
  };
  stream.on('error', (error) => become({ kind: 'failed', code: systemCode(error) ?? 'EIO' }));
  return {
    write(bytes) {
      if (state.kind === 'failed') return state;
      if (state.kind === 'busy') return { kind: 'blocked' };
      state = { kind: 'busy' };
      stream.write(bytes, (error) => {
        become(error ? { kind: 'failed', code: systemCode(error) ?? 'EIO' } : { kind: 'idle' });
      });
      return { kind: 'written', bytes: bytes.byteLength };
    },
    onWritable: (callback) => {
      resume = callback;
    },
    close() {},
  };
}
