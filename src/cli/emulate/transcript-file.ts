import { closeSync, constants, fstatSync, openSync } from 'node:fs';
import { appendTo } from '../../../platform/files/append-file.ts';
import { inSystemWords } from '../../../platform/system-words.ts';
import { LocalError } from '../../base/local-error.ts';
import { type Recorder, recorder } from './records.ts';

/** Writes what passes as JSON, one object a line, without tokens, codes and secrets. */
export interface TranscriptFile extends Recorder {
  /** Nothing is written after this. Returns why something could not be written, if so. */
  close(): string | undefined;
}

/**
 * Opens the file, mode 0600, in the place of what it held. Throws `LocalError` FOOTBRIDGE_CONFIG where it cannot be
 * written, and for a pipe that nobody reads.
 */
export function openTranscriptFile(path: string): TranscriptFile {
  const file = appendTo(open(path));
  return {
    ...recorder((record) => void file.append(`${JSON.stringify(record)}\n`)),
    close: () => file.close(),
  };
}

function open(path: string): number {
  const { O_WRONLY, O_CREAT, O_TRUNC, O_NONBLOCK } = constants;
  try {
    const fd = openSync(path, O_WRONLY | O_CREAT | O_TRUNC | O_NONBLOCK, 0o600);
    if (fstatSync(fd).isFile()) return fd;
    // A pipe with a reader: to be written to without losing what it has no room for.
    closeSync(fd);
    return openSync(path, 'w');
  } catch (error) {
    throw new LocalError(
      'FOOTBRIDGE_CONFIG',
      `--transcript: ${path} cannot be written: ${inSystemWords(error)}. Give a file in a folder of yours.`,
      { cause: error },
    );
  }
}
