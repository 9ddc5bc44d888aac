import { isDeepStrictEqual } from 'node:util';
import { LocalError } from '../../base/local-error.ts';
import type { EditedFile } from './file.ts';

/** One `[[endpoints]]` as the file spells it. */
export interface EndpointTable {
  readonly name: string;
  readonly preset?: string | undefined;
  readonly client?: string | undefined;
  readonly path?: string | undefined;
  readonly rights?: string | readonly string[] | undefined;
}

/**
 * Appends an endpoint to the text of a configuration file; everything else stays as it is. Throws `LocalError`
 * FOOTBRIDGE_CONFIG for a file that has its endpoints in a list, which TOML does not let a table extend.
 */
export function withEndpoint({ path, text, parse }: EditedFile, table: EndpointTable): string {
  const lines = Object.entries(table).flatMap(([key, value]: [string, unknown]) =>
    value === undefined ? [] : [`${key} = ${JSON.stringify(value)}`],
  );
  const before = text === '' || text.endsWith('\n') ? text : `${text}\n`;
  const extended = `${before}${before === '' ? '' : '\n'}[[endpoints]]\n${lines.join('\n')}\n`;
  try {
    parse(extended);
  } catch (cause) {
    throw new LocalError(
      'FOOTBRIDGE_CONFIG',
      `${path} has its endpoints in a list, endpoints = […], to which no table can be added. ` +
        'Add the endpoint with an editor, or write each one as a table [[endpoints]].',
      { cause },
    );
  }
  return extended;
}

/**
 * Removes the endpoint at a position from the text of a configuration file, with the comments inside of its table.
 * Throws `LocalError` FOOTBRIDGE_CONFIG for a file in which the table cannot be separated from the rest.
 */
export function withoutEndpoint({ path, text, parse }: EditedFile, at: number): string {
  const lines = text.split('\n');
  const starts = lines.flatMap((line, index) => (/^\s*\[\[\s*endpoints\s*\]\]/.test(line) ? [index] : []));
  const start = starts[at];
  if (start !== undefined) {
    const next = lines.findIndex((line, index) => index > start && /^\s*\[(?!\s*endpoints\s*\.)/.test(line));
    let end = next === -1 ? lines.length : next;
    // Comments above the next table belong to that table.
    while (next !== -1 && end > start + 1 && /^\s*(?:#.*)?$/.test(lines[end - 1] ?? '')) end -= 1;
    const remaining = [...lines.slice(0, start), ...lines.slice(end)].join('\n').replace(/\n{3,}/g, '\n\n');
    if (isWithout(parse, text, remaining, at)) return remaining.replace(/\n+$/, '\n');
  }
  throw new LocalError(
    'FOOTBRIDGE_CONFIG',
    `${path}: the endpoint cannot be separated from the rest of the file. Remove it with an editor.`,
  );
}

/** Whether the second text has the values of the first one, except the endpoint. */
function isWithout(parse: EditedFile['parse'], before: string, after: string, at: number): boolean {
  try {
    const { endpoints, ...rest } = parse(before);
    const { endpoints: remaining = [], ...others } = parse(after);
    const wanted = Array.isArray(endpoints) ? endpoints.toSpliced(at, 1) : [];
    return isDeepStrictEqual([wanted, rest], [remaining, others]);
  } catch {
    return false;
  }
}
