import { basename } from 'node:path';
import { readRegularFile } from '../../../platform/files/read-regular.ts';
import { systemErrorText } from '../../../platform/system-error-text.ts';
import { usage } from '../parse.ts';

/** File in the form that the bridge accepts. */
type SentFile =
  | { readonly filename: string; readonly data: string }
  | { readonly filename: string; readonly problem: string };

/** Parsed arguments such as `level=3` and `picture=@cat.png`. */
export interface InteractionArguments {
  /** Arguments before the first pair. */
  readonly leading: readonly string[];
  readonly values: Readonly<Record<string, string | readonly string[]>>;
  /**
   * Files for values that begin with `@`. The bridge decides whether such a value means a file, because it knows the
   * type of the option.
   */
  readonly files: Readonly<Record<string, readonly SentFile[]>>;
}

/** The bridge's limit for a file. */
const MAX_FILE_BYTES = 20 * 1024 * 1024;
const MAX_NAME_LENGTH = 100;

/** Parses `NAME=VALUE…`; a repeated name has several values. Throws `LocalError` FOOTBRIDGE_USAGE. */
export function readArguments(command: string, args: readonly string[]): InteractionArguments {
  const first = args.findIndex((word) => word.includes('='));
  const begin = first === -1 ? args.length : first;
  const values = new Map<string, readonly string[]>();
  const files = new Map<string, readonly SentFile[]>();
  for (const word of args.slice(begin)) {
    const at = word.indexOf('=');
    const key = word.slice(0, at);
    if (at < 1 || key.length > MAX_NAME_LENGTH) {
      throw usage(`${JSON.stringify(word.slice(0, 60))} is no NAME=VALUE.`, { name: command });
    }
    const value = word.slice(at + 1);
    values.set(key, [...(values.get(key) ?? []), value]);
    if (value.startsWith('@') && value.length > 1)
      files.set(key, [...(files.get(key) ?? []), fileAt(value.slice(1))]);
  }
  const alone = [...values].map(([key, all]) => [key, all.length === 1 ? (all[0] ?? '') : all] as const);
  return {
    leading: args.slice(0, begin),
    values: Object.fromEntries(alone),
    files: Object.fromEntries(files),
  };
}

function fileAt(path: string): SentFile {
  const filename = basename(path).slice(-MAX_NAME_LENGTH) || 'file';
  try {
    return { filename, data: Buffer.from(readRegularFile(path, MAX_FILE_BYTES)).toString('base64') };
  } catch (error) {
    return { filename, problem: systemErrorText(error) };
  }
}
