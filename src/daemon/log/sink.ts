import { closeSync, constants, fstatSync, openSync, type Stats, writeSync } from 'node:fs';
import type { Writable } from 'node:stream';
import { systemCode } from '../../base/local-error.ts';

/**
 * Result of a write. `blocked`: the reader does not read at the moment. `failed`: the disk is full or the reader has
 * closed.
 */
export type WriteResult =
  | { readonly kind: 'written'; readonly bytes: number }
  | { readonly kind: 'blocked' }
  | { readonly kind: 'failed'; readonly code: string };

/** Output that accepts bytes at once or reports that it cannot. Never waits, never throws. */
export interface Sink {
  /** Accepts all of `bytes`, the first part of them, or none. */
  write(bytes: Uint8Array): WriteResult;
  /**
   * Registers a callback that runs when a blocked sink may accept bytes again. Absent when only a retry can show that.
   */
  readonly onWritable?: (resume: () => void) => void;
  close(): void;
}

/**
 * The sink for an inherited descriptor. Other processes may share the descriptor, so its flags stay as they are: a pipe
 * or terminal is opened a second time, for non-blocking writes. A descriptor that cannot be opened again (the socket to
 * journald) goes through `stream`, Node's own object for that descriptor.
 */
export function openSink(fd: number, stream: () => Writable): Sink {
  const status = statusOf(fd);
  // A program that Windows starts without a console has descriptors that lead nowhere. Node's object for such a
  // descriptor discards the output.
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

/**
 * Only Linux creates a second open file description. Other systems merely duplicate the descriptor, which then shares
 * its flags.
 */
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

/**
 * At most one write is in flight. Further data waits in the caller's bounded queue and not in the stream's unbounded
 * buffer.
 */
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
