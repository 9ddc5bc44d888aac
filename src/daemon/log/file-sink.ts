import { closeSync, constants, fchmodSync, fstatSync, openSync, renameSync, writeSync } from 'node:fs';
import { logFilesIn } from '../../../platform/files/log-files.ts';
import { makeFolder } from '../../../platform/files/private-file.ts';
import { systemCode } from '../../base/local-error.ts';
import type { Sink, WriteResult } from './sink.ts';

/** Size at which the log file is moved aside (bytes); there are two files. */
const FILE_BYTES = 1024 * 1024;
/** Delay before the next try with an unusable file (ms). */
const RETRY_MS = 10_000;

/** Substitutes for the bounds and the clock, for tests. */
export interface FileSinkOptions {
  readonly fileBytes?: number;
  readonly now?: () => number;
}

type State =
  | { readonly kind: 'open'; readonly fd: number; size: number }
  | { readonly kind: 'closed'; readonly code: string; readonly retryAt: number };

/**
 * Writes to `footbridge.log` in the folder, and moves that file to `footbridge.1.log` before it grows beyond 1 MiB.
 * Both files are accessible to their owner alone. A link, a FIFO or any other file that is not ours is refused, so that
 * a write neither waits nor goes to another file; the sink tries again ten seconds later.
 */
export function fileSink(folder: string, options: FileSinkOptions = {}): Sink {
  const { fileBytes = FILE_BYTES, now = () => performance.now() } = options;
  const [older, current] = logFilesIn(folder);
  let state: State = { kind: 'closed', code: 'EIO', retryAt: 0 };

  const close = (): void => {
    if (state.kind === 'open') closeSync(state.fd);
  };
  const failed = (error: unknown): WriteResult => {
    close();
    const code = systemCode(error) ?? 'EIO';
    state = { kind: 'closed', code, retryAt: now() + RETRY_MS };
    return { kind: 'failed', code };
  };

  return {
    write(bytes) {
      if (state.kind === 'closed' && now() < state.retryAt) return { kind: 'failed', code: state.code };
      try {
        if (state.kind === 'closed') state = openLog(folder, current);
        if (state.size > 0 && state.size + bytes.byteLength > fileBytes) {
          closeSync(state.fd);
          state = { kind: 'closed', code: 'EIO', retryAt: 0 };
          renameSync(current, older);
          state = openLog(folder, current);
        }
        const written = writeSync(state.fd, bytes);
        state.size += written;
        return { kind: 'written', bytes: written };
      } catch (error) {
        return failed(error);
      }
    },
    close() {
      close();
      state = { kind: 'closed', code: 'EBADF', retryAt: Number.POSITIVE_INFINITY };
    },
  };
}

function openLog(folder: string, path: string): Extract<State, { kind: 'open' }> {
  makeFolder(folder);
  const { O_WRONLY, O_APPEND, O_CREAT } = constants;
  // Windows has neither flag: folders that only the user can write to contain no links there, and no FIFOs.
  const careful = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  const fd = openSync(path, O_WRONLY | O_APPEND | O_CREAT | careful, 0o600);
  try {
    const status = fstatSync(fd);
    const isOurs = process.getuid === undefined || status.uid === process.getuid();
    // A file with a second name could be another file that an attacker wants overwritten.
    if (!status.isFile() || !isOurs || status.nlink !== 1) throw new Error('it is no file of ours');
    if (process.getuid !== undefined && (status.mode & 0o777) !== 0o600) fchmodSync(fd, 0o600);
    return { kind: 'open', fd, size: status.size };
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}
