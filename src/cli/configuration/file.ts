import { existsSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Environment } from '../../../platform/endpoint/endpoints.ts';
import { lstatOf } from '../../../platform/files/inode.ts';
import { writePrivateFile } from '../../../platform/files/private-file.ts';
import { systemErrorText } from '../../../platform/system-error-text.ts';
import { LocalError } from '../../base/local-error.ts';
import { type ConfigParser, configParser, readConfigText } from '../../daemon/config/file.ts';
import { applicationFolders } from '../../daemon/config/folders.ts';

/** A configuration file that is being edited. */
export interface EditedFile {
  readonly path: string;
  /** Empty for a file that does not exist yet. */
  readonly text: string;
  readonly parse: ConfigParser;
}

/**
 * Reads the configuration file of a bridge, `chosen` or the usual one. A file that was named must exist, unless `creates`
 * is true and the folder exists. Throws `LocalError` FOOTBRIDGE_CONFIG.
 */
export async function openConfiguration(
  env: Environment,
  chosen: string | undefined,
  { creates = false } = {},
): Promise<EditedFile> {
  const named = chosen ?? (env['FOOTBRIDGE_CONFIG'] || undefined);
  const path = named === undefined ? join(applicationFolders().config, 'footbridge.toml') : resolve(named);
  const isNew = creates && lstatOf(path) === undefined && existsSync(dirname(path));
  const required = named !== undefined && !isNew;
  const text = (await readConfigText({ path, required, again: false })) ?? '';
  return { path, text, parse: await configParser(path) };
}

/** Replaces the file as a whole; a link to it stays. Throws `LocalError` FOOTBRIDGE_CONFIG. */
export function saveConfiguration({ path }: EditedFile, text: string): void {
  try {
    if (lstatOf(path) === undefined) return writePrivateFile(path, text);
    const target = realpathSync(path);
    writePrivateFile(target, text, { mode: statSync(target).mode & 0o777 });
  } catch (cause) {
    throw new LocalError(
      'FOOTBRIDGE_CONFIG',
      `${path} cannot be written: ${systemErrorText(cause)}. Make room on its disk or make it writable, and repeat the command.`,
      { cause },
    );
  }
}

/** Whether two paths lead to one file. */
export function isSameFile(a: string, b: string): boolean {
  if (a === b) return true;
  try {
    return realpathSync(a) === realpathSync(b);
  } catch {
    return false;
  }
}
