import { closeSync, fstatSync, ftruncateSync, writeSync } from 'node:fs';
import { inSystemWords } from '../system-words.ts';

/** A file that is written piece by piece, and reports at the end whether it is complete. */
export interface AppendedFile {
  /** False for a piece that is not in the file; after the first such piece the file is no longer written. */
  append(text: string): boolean;
  /** Ends the writing. Returns the reason that a piece is missing, if one is. */
  close(): string | undefined;
}

/** Calls of the system; a stand-in for tests. */
export interface FileCalls {
  readonly write: (fd: number, bytes: Uint8Array, offset: number) => number;
  readonly close: (fd: number) => void;
}

const SYSTEM: FileCalls = { write: (fd, bytes, offset) => writeSync(fd, bytes, offset), close: closeSync };

/**
 * Appends to an open file. A failure, such as a full disk, never throws: it must not affect the recorded traffic. A
 * piece that found room only in part is removed again, so that the file ends with a whole one.
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
        failure = inSystemWords(error);
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
        failure ??= inSystemWords(error);
      }
      return failure;
    },
  };
}

function dropBeyond(fd: number, size: number): void {
  try {
    if (fstatSync(fd).isFile()) ftruncateSync(fd, size);
  } catch {
    // The first failure is the one to report.
  }
}
