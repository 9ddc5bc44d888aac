import { realpathSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Environment, OsName } from '../../../platform/endpoint/endpoints.ts';
import { writePrivateFile } from '../../../platform/files/private-file.ts';
import { systemErrorText } from '../../../platform/system-error-text.ts';
import { LocalError } from '../../base/local-error.ts';
import { type EndpointSetting, readEndpoints } from '../../daemon/config/endpoints.ts';
import { readConfigText } from '../../daemon/config/file.ts';
import { applicationFolders } from '../../daemon/config/folders.ts';

/** A configuration file that is being edited. */
export interface EditedFile {
  readonly path: string;
  /** Empty for a file that does not exist yet. */
  readonly text: string;
  readonly parse: (text: string) => Readonly<Record<string, unknown>>;
}

/** Reads the configuration file of a bridge, `chosen` or the usual one. Throws `LocalError` FOOTBRIDGE_CONFIG. */
export async function openConfiguration(env: Environment, chosen: string | undefined): Promise<EditedFile> {
  const named = chosen ?? (env['FOOTBRIDGE_CONFIG'] || undefined);
  const path = named === undefined ? join(applicationFolders().config, 'footbridge.toml') : resolve(named);
  const text = (await readConfigText({ path, required: named !== undefined, again: false })) ?? '';
  const { parse } = await import('smol-toml');
  return { path, text, parse };
}

/** The endpoints of a text, validated. Throws as `readEndpoints` does. */
export function endpointsOf({ path, parse }: EditedFile, text: string, env: Environment): EndpointSetting[] {
  const { endpoints = [] } = parse(text);
  return readEndpoints(endpoints, path, { os: process.platform as OsName, env });
}

/** Replaces the file as a whole; a link to it stays. Throws `LocalError` FOOTBRIDGE_CONFIG. */
export function saveConfiguration({ path, text: before }: EditedFile, text: string): void {
  try {
    if (before === '') return writePrivateFile(path, text);
    const target = realpathSync(path);
    writePrivateFile(target, text, { mode: statSync(target).mode & 0o777 });
  } catch (cause) {
    throw new LocalError(
      'FOOTBRIDGE_CONFIG',
      `${path} cannot be written: ${systemErrorText(cause)}. Make it writable, or add the endpoint with an editor.`,
      { cause },
    );
  }
}
