import { chmodSync, mkdtempSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LocalError } from '../../src/base/local-error.ts';
import { systemErrorText } from '../system-error-text.ts';

/**
 * Creates a folder with mode 0700 whose name begins with `prefix`: in the system's temporary folder, or in the folder
 * that `choose` returns for the real path of that one. Returns its path. Throws `LocalError` FOOTBRIDGE_CONFIG, which
 * names the temporary folder and its variable.
 */
export function makeTemporaryFolder(prefix: string, choose = (usual: string): string => usual): string {
  try {
    const folder = mkdtempSync(join(choose(realpathSync(tmpdir())), prefix));
    chmodSync(folder, 0o700);
    return folder;
  } catch (error) {
    const variable = process.platform === 'win32' ? 'TEMP' : 'TMPDIR';
    throw new LocalError(
      'FOOTBRIDGE_CONFIG',
      `${tmpdir()}: no temporary folder can be made there: ${systemErrorText(error)}. ` +
        `Set ${variable} to a folder that you may write to.`,
      { cause: error },
    );
  }
}
