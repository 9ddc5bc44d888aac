import { closeSync, constants, fstatSync, ftruncateSync, openSync, unlinkSync, writeFileSync } from 'node:fs';
import { UsageError } from '../failure.ts';
import { describeSystemError } from '../system-error.ts';

/** File to be written at the end of the run. */
export interface OutputFile {
  /** Replaces the content of the file. Throws {@link UsageError}. */
  readonly write: (text: string) => void;
  /** Leaves the file unchanged. */
  readonly discard: () => void;
}

/**
 * Opens a file that an option names before the run, so that an unwritable file is reported early. The content of the
 * file stays until `write`. Throws {@link UsageError}, also for a pipe without a reader.
 */
export function openOutput(file: string, option: string): OutputFile {
  // Windows has no O_NONBLOCK; adding undefined has no effect.
  const { O_WRONLY, O_CREAT, O_EXCL, O_NONBLOCK } = constants;
  let isNew = true;
  let fd: number;
  try {
    fd = openSync(file, O_WRONLY | O_CREAT | O_EXCL, 0o666);
  } catch {
    isNew = false;
    fd = trying(file, option, () => openSync(file, O_WRONLY | O_NONBLOCK));
  }
  if (fstatSync(fd).isFile()) return regularFile(fd, file, option, isNew);
  // A pipe or terminal is written directly.
  closeSync(fd);
  return { write: (text) => trying(file, option, () => writeFileSync(file, text)), discard: () => {} };
}

function regularFile(fd: number, file: string, option: string, isNew: boolean): OutputFile {
  return {
    write(text) {
      trying(file, option, () => {
        ftruncateSync(fd);
        writeFileSync(fd, text);
        closeSync(fd);
      });
    },
    discard() {
      closeSync(fd);
      if (isNew) unlinkSync(file);
    },
  };
}

function trying<T>(file: string, option: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new UsageError(`${option}: ${file}: cannot be written: ${describeSystemError(error)}`);
  }
}
