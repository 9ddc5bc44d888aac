import { openReplaced, type ReplacedFile } from '../../../platform/files/replaced-file.ts';
import { inSystemWords } from '../../../platform/system-words.ts';
import { LocalError } from '../../base/local-error.ts';
import { type Recorder, recorder } from './records.ts';

/** Writes what passes as JSON, one object a line, without tokens, codes and secrets, from `begin` on. */
export interface TranscriptFile extends Recorder, Pick<ReplacedFile, 'begin' | 'abandon'> {
  /** Nothing is written after this. Returns why something could not be written, if so. */
  close(): string | undefined;
}

/**
 * Opens the file, mode 0600; what it holds is replaced from `begin` on. Throws `LocalError` FOOTBRIDGE_CONFIG where it
 * cannot be written, and for a pipe that nobody reads.
 */
export function openTranscriptFile(path: string): TranscriptFile {
  const file = open(path);
  return {
    ...recorder((record) => void file.append(`${JSON.stringify(record)}\n`)),
    begin: () => file.begin(),
    abandon: () => file.abandon(),
    close: () => file.close(),
  };
}

function open(path: string): ReplacedFile {
  try {
    return openReplaced(path);
  } catch (error) {
    throw new LocalError(
      'FOOTBRIDGE_CONFIG',
      `--transcript: ${path} cannot be written: ${inSystemWords(error)}. Give a file in a folder of yours.`,
      { cause: error },
    );
  }
}
