import { readBounded, readingFailed, rereadBounded } from '../../../platform/files/read-bounded.ts';
import { LocalError, systemCode } from '../../base/local-error.ts';
import { nearest } from '../../base/nearest.ts';
import { firstLine } from '../../base/text.ts';
import { limitKeys, settingKeys, snakeCase } from './keys.ts';

/**
 * Content of a configuration file as a flat list: keys of `[limits]` are spelled `limits.frame_bytes`. The values are
 * not validated yet.
 */
export interface ConfigFile {
  readonly path: string;
  readonly text: string;
  readonly values: ReadonlyMap<string, unknown>;
}

/** Key of the tables `[[endpoints]]`, which `endpoints.ts` validates. */
export const ENDPOINTS_KEY = 'endpoints';

/** Key of the tables `[[forward]]`, which `forwards.ts` validates. */
export const FORWARD_KEY = 'forward';

/** Key of the tables `[[presence]]`, which `presence.ts` validates. */
export const PRESENCE_KEY = 'presence';

/** Maximum size of a configuration file (bytes), far above any hand-written file. */
const MAX_BYTES = 256 * 1024;

/**
 * Reads a configuration file and checks its keys; undefined for a missing file that is optional. Throws `LocalError`
 * FOOTBRIDGE_CONFIG with file, key and reason in one line.
 */
export async function readConfigFile(source: ConfigSource): Promise<ConfigFile | undefined> {
  const text = await readConfigText(source);
  const { path } = source;
  return text === undefined
    ? undefined
    : { path, text, values: flatten(path, (await configParser(path))(text)) };
}

/** Location of a configuration file. */
export interface ConfigSource {
  readonly path: string;
  readonly required: boolean;
  /** True for a bridge that already runs: only sources that cannot block are read. */
  readonly again: boolean;
}

/** Reads the text of a configuration file; undefined for a missing file that is optional. Throws as above. */
export async function readConfigText({ path, required, again }: ConfigSource): Promise<string | undefined> {
  try {
    return await (again ? rereadBounded(path, MAX_BYTES) : readBounded(path, MAX_BYTES));
  } catch (error) {
    if (systemCode(error) === 'ENOENT' && !required) return undefined;
    throw new LocalError('FOOTBRIDGE_CONFIG', readingFailed(path, error), { cause: error });
  }
}

/** Parses the text of a configuration file. Throws `LocalError` FOOTBRIDGE_CONFIG with the file and the line. */
export type ConfigParser = (text: string) => Readonly<Record<string, unknown>>;

/** The parser of the configuration file at a path. */
export async function configParser(path: string): Promise<ConfigParser> {
  const { parse, TomlError } = await import('smol-toml');
  return (text) => {
    try {
      return parse(text, { maxDepth: 4 });
    } catch (error) {
      if (!(error instanceof TomlError)) throw error;
      // Only the first line is used, because the rest of the message quotes the file.
      const reason = firstLine(error.message);
      throw wrong(
        path,
        `line ${error.line}, column ${error.column}: ${reason}${quotesRemedy(reason)}`,
        error,
      );
    }
  };
}

/** What to do about an id or a text without quotes, which the parser calls a number or a value. */
function quotesRemedy(reason: string): string {
  if (reason.includes('losslessly')) return '. An id stands in quotes, such as app = "300000000000000001".';
  return /: invalid value$/.test(reason) ? '. A text stands in quotes.' : '';
}

function flatten(path: string, table: Readonly<Record<string, unknown>>): Map<string, unknown> {
  const values = new Map<string, unknown>();
  for (const [key, value] of Object.entries(table)) {
    if (key === 'limits') {
      for (const [name, limit] of entriesOf(path, value)) {
        known(path, 'limits.', name, Object.keys(limitKeys).map(snakeCase));
        values.set(`limits.${name}`, limit);
      }
    } else {
      known(path, '', key, [...Object.keys(settingKeys), 'limits', ENDPOINTS_KEY, FORWARD_KEY, PRESENCE_KEY]);
      values.set(key, value);
    }
  }
  return values;
}

function entriesOf(path: string, value: unknown): [string, unknown][] {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return Object.entries(value);
  throw wrong(path, 'limits: a table [limits] is expected');
}

function known(path: string, prefix: string, key: string, names: readonly string[]): void {
  if (names.includes(key)) return;
  const meant = nearest(key, names);
  const hint = meant === undefined ? `known are ${names.join(', ')}` : `did you mean "${prefix}${meant}"?`;
  throw wrong(path, `${prefix}${key.slice(0, 60)}: there is no such key; ${hint}`);
}

function wrong(path: string, problem: string, cause?: unknown): LocalError {
  return new LocalError('FOOTBRIDGE_CONFIG', `${path}: ${problem}`, { cause });
}
