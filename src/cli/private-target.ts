import { realpathSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { writeLargePrivateFile } from '../../platform/files/private-file.ts';
import { systemErrorText } from '../../platform/system-error-text.ts';
import { isLocalError, LocalError } from '../base/local-error.ts';

/** What a command can write to: a file only, or stdout as well. */
type Targets = 'file' | 'file or stdout';

/**
 * Target file behind any links. Throws `LocalError` FOOTBRIDGE_CONFIG if the path is no file or its folder does not
 * exist.
 */
export function writableTarget(path: string, targets: Targets = 'file or stdout'): string {
  if (path === '-' && targets === 'file') throw notWritten(path, 'this does not go to stdout', targets);
  const target = resolve(path);
  try {
    const status = statSync(target, { throwIfNoEntry: false });
    if (status?.isFile() === true) return realpathSync(target);
    if (status !== undefined) throw notWritten(path, 'it is no regular file', targets);
    const folder = statSync(dirname(target), { throwIfNoEntry: false });
    if (folder?.isDirectory() !== true) throw notWritten(path, 'its folder does not exist', targets);
  } catch (error) {
    // The system may refuse the path, for example with EACCES for a folder of another user.
    throw isLocalError(error) ? error : notWritten(path, error, targets);
  }
  return target;
}

/** Writes a private file atomically; `path` is the name that the user typed. Throws `LocalError` FOOTBRIDGE_CONFIG. */
export async function writeTarget(
  target: string,
  path: string,
  content: string | Uint8Array | AsyncIterable<string>,
  targets: Targets = 'file or stdout',
): Promise<void> {
  try {
    await writeLargePrivateFile(target, content, { unlocked: true });
  } catch (error) {
    throw isLocalError(error) ? error : notWritten(path, error, targets);
  }
}

function notWritten(path: string, error: unknown, targets: Targets): LocalError {
  const reason = typeof error === 'string' ? error : systemErrorText(error);
  return new LocalError(
    'FOOTBRIDGE_CONFIG',
    `${path}: cannot be written: ${reason}. Name a file in a folder that you may write to${targets === 'file' ? '' : ', or - for stdout'}.`,
    typeof error === 'string' ? undefined : { cause: error },
  );
}
