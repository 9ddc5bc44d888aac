import { isDeepStrictEqual } from 'node:util';
import { LocalError } from '../../base/local-error.ts';
import { printable } from '../../base/text.ts';
import type { EditedFile } from './file.ts';

/** Array of tables in the configuration, with the word for one of them in messages. */
export interface TableKey {
  readonly key: string;
  readonly noun: string;
}

/**
 * Appends a table to the text of a configuration file; everything else stays as it is. Throws `LocalError`
 * FOOTBRIDGE_CONFIG for a file that has these tables in a list, which TOML does not let a table extend.
 */
export function withTable(
  { path, text, parse }: EditedFile,
  { key, noun }: TableKey,
  table: object,
  comment = '',
): string {
  const lines = Object.entries(table).flatMap(([name, value]: [string, unknown]) =>
    value === undefined ? [] : [`${name} = ${JSON.stringify(value)}`],
  );
  const before = text === '' || text.endsWith('\n') ? text : `${text}\n`;
  const head = comment === '' ? `[[${key}]]` : `[[${key}]] # ${printable(comment)}`;
  const extended = `${before}${before === '' ? '' : '\n'}${head}\n${lines.join('\n')}\n`;
  try {
    parse(extended);
  } catch (cause) {
    throw new LocalError(
      'FOOTBRIDGE_CONFIG',
      `${path} has each ${noun} in a list, ${key} = […], to which no table can be added. ` +
        `Add the ${noun} with an editor, or write each one as a table [[${key}]].`,
      { cause },
    );
  }
  return extended;
}

/**
 * Removes the table at a position from the text of a configuration file, with the comments inside of its table.
 * Throws `LocalError` FOOTBRIDGE_CONFIG for a file in which the table cannot be separated from the rest.
 */
export function withoutTable({ path, text, parse }: EditedFile, { key, noun }: TableKey, at: number): string {
  const header = new RegExp(`^\\s*\\[\\[\\s*${key}\\s*\\]\\]`);
  const foreign = new RegExp(`^\\s*\\[(?!\\s*${key}\\s*\\.)`);
  const lines = text.split('\n');
  const starts = lines.flatMap((line, index) => (header.test(line) ? [index] : []));
  const start = starts[at];
  if (start !== undefined) {
    const next = lines.findIndex((line, index) => index > start && foreign.test(line));
    let end = next === -1 ? lines.length : next;
    // Comments above the next table belong to that table.
    while (next !== -1 && end > start + 1 && /^\s*(?:#.*)?$/.test(lines[end - 1] ?? '')) end -= 1;
    const remaining = [...lines.slice(0, start), ...lines.slice(end)].join('\n').replace(/\n{3,}/g, '\n\n');
    if (isWithout(parse, key, [text, remaining], at)) return remaining.replace(/\n+$/, '\n');
  }
  throw new LocalError(
    'FOOTBRIDGE_CONFIG',
    `${path}: the ${noun} cannot be separated from the rest of the file. Remove it with an editor.`,
  );
}

/** Whether the second text has the values of the first one, except the table. */
function isWithout(
  parse: EditedFile['parse'],
  key: string,
  [before, after]: readonly [string, string],
  at: number,
): boolean {
  try {
    const { [key]: tables, ...rest } = parse(before);
    const { [key]: remaining = [], ...others } = parse(after);
    const wanted = Array.isArray(tables) ? tables.toSpliced(at, 1) : [];
    return isDeepStrictEqual([wanted, rest], [remaining, others]);
  } catch {
    return false;
  }
}
