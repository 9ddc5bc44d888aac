import { realpathSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { LocalError } from '../../platform/local-error.ts';
import { inSystemWords } from '../../platform/system-words.ts';

/** The file itself, behind any link. Throws `LocalError` FOOTBRIDGE_CONFIG for what is no file, or has no folder. */
export function writableFile(path: string): string {
  const target = resolve(path);
  const status = statSync(target, { throwIfNoEntry: false });
  if (status?.isFile() === true) return realpathSync(target);
  if (status !== undefined) throw notWritten(path, 'it is no regular file');
  const folder = statSync(dirname(target), { throwIfNoEntry: false });
  if (folder?.isDirectory() !== true) throw notWritten(path, 'its folder does not exist');
  return target;
}

/** The error for a file that a command was to write. */
export function notWritten(path: string, error: unknown): LocalError {
  const reason = typeof error === 'string' ? error : inSystemWords(error);
  return new LocalError(
    'FOOTBRIDGE_CONFIG',
    `${path}: cannot be written: ${reason}. Name a file in a folder that you may write to, or - for stdout.`,
    typeof error === 'string' ? undefined : { cause: error },
  );
}
