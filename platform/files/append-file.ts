import { closeSync, fstatSync, ftruncateSync, writeSync } from 'node:fs';
import { systemErrorText } from '../system-error-text.ts';

/** A file that is written in pieces, and reports at the end whether it is complete. */
export interface AppendedFile {
  /**
   * Writes a piece. Returns false when the piece is not in the file; after the first such piece nothing more is
   * written.
   */
  append(text: string): boolean;
  /** Closes the file. Returns the reason why a piece is missing; undefined when the file is complete. */
  close(): string | undefined;
}

/** System calls that a test can replace. */
export interface FileCalls {
  readonly write: (fd: number, bytes: Uint8Array, offset: number) => number;
  readonly close: (fd: number) => void;
}

const SYSTEM: FileCalls = { write: (fd, bytes, offset) => writeSync(fd, bytes, offset), close: closeSync };

/**
 * Appends to an open file. It never throws, because a failure such as a full disk must not affect the recorded traffic.
 * A piece that was only written in part is removed again, so that the file ends with a whole piece.
 */
export function appendTo(fd: number, calls: FileCalls = SYSTEM): AppendedFile {
  let failure: string | undefined;
  let isOpen = true;
  let size = 0;
  return {
    append(text) {
      if (!isOpen || failure !== undefined) return false;
      const bytes = Buffer.from(text);
      try {
        for (let at = 0; at < bytes.byteLength; ) {
          const written = calls.write(fd, bytes, at);
          if (written === 0) throw new Error('nothing more can be written');
          at += written;
        }
        size += bytes.byteLength;
        return true;
      } catch (error) {
        failure = systemErrorText(error);
        dropBeyond(fd, size);
        return false;
      }
    },
    close() {
      if (!isOpen) return failure;
      isOpen = false;
      try {
        // Some file systems, such as those of a network, report a full disk only at the close.
        calls.close(fd);
      } catch (error) {
        failure ??= systemErrorText(error);
      }
      return failure;
    },
  };
}

function dropBeyond(fd: number, size: number): void {
  try {
    if (fstatSync(fd).isFile()) ftruncateSync(fd, size);
  } catch {
    // The failure of the write is the one to report, so this one is ignored.
  }
}
