import type { OsName } from '../../../platform/endpoint/endpoints.ts';
import { messageOf } from '../../base/local-error.ts';
import { parseForwardEndpoint, publicText } from '../../forward/endpoint.ts';
import { defaultName, isName, NAME_TEXT, uniqueName } from '../../forward/name.ts';
import { print, tableWith, wrong } from './table.ts';

/** One `[[forward]]` of the configuration: the options of `footbridge forward`, as it takes them. */
export interface ForwardSetting {
  readonly from: string;
  readonly to: string;
  readonly rights: 'presence' | 'full';
  /** Name of the apps in prompts and lists; unless set, a short one that no other forward of the file has. */
  readonly name: string;
}

const MAX_FORWARDS = 32;
const MAX_LENGTH = 4096;
const KEYS = ['from', 'to', 'rights', 'name'] as const;

/**
 * Validates the `[[forward]]` of a file. `where` is the file, for messages. Throws `LocalError` FOOTBRIDGE_CONFIG with
 * file, forward, key and remedy in one line. `served` has the paths that the bridge itself serves, each with the words
 * that name it.
 */
export function readForwards(
  value: unknown,
  where: string,
  os: OsName,
  served: ReadonlyMap<string, string> = new Map(),
): ForwardSetting[] {
  if (!Array.isArray(value)) throw wrong(where, 'forward: tables [[forward]] are expected');
  if (value.length > MAX_FORWARDS) throw wrong(where, `forward: at most ${MAX_FORWARDS} are kept running`);
  const forwards = (value as unknown[]).map((table, at) =>
    readForward(table, `${where}: forward ${at + 1}`, os),
  );
  const seen = new Set<string>();
  for (const { from } of forwards) {
    if (seen.has(from))
      throw wrong(where, `forward: two have from = ${print(publicText(from))}. Remove one of the two`);
    seen.add(from);
    const other = served.get(from);
    if (other !== undefined)
      throw wrong(where, `forward: ${other} and from = ${print(from)} are one path. Change one of the two`);
  }
  const names = new Set(forwards.flatMap(({ name }) => name ?? []));
  return forwards.map((forward) => {
    if (forward.name !== undefined) return { ...forward, name: forward.name };
    const unique = uniqueName(defaultName(parseForwardEndpoint('from', forward.from, os)), (name) =>
      names.has(name),
    );
    names.add(unique);
    return { ...forward, name: unique };
  });
}

/** A forward as its table says. */
type ForwardTable = Omit<ForwardSetting, 'name'> & { readonly name: string | undefined };

function readForward(value: unknown, where: string, os: OsName): ForwardTable {
  const table = tableWith(KEYS, value, where);
  const { rights = 'presence', name } = table;
  if (rights !== 'presence' && rights !== 'full')
    throw wrong(where, `rights: ${print(rights)} is not "presence" or "full"`);
  if (name !== undefined && !(typeof name === 'string' && isName(name)))
    throw wrong(where, `name: ${print(name)} is not ${NAME_TEXT}`);
  const [from, to] = [endpointIn(table, 'from', where, os), endpointIn(table, 'to', where, os)];
  if (from === to) throw wrong(where, `from and to are the same, ${print(publicText(from))}`);
  return { from, to, rights, name };
}

function endpointIn(
  table: Readonly<Record<string, unknown>>,
  key: 'from' | 'to',
  where: string,
  os: OsName,
): string {
  const value = table[key];
  if (typeof value !== 'string' || value.length > MAX_LENGTH)
    throw wrong(
      where,
      `${key}: ${print(typeof value === 'string' ? publicText(value) : value)} is not a path${key === 'to' ? ', "auto"' : ''} or "exec:COMMAND"`,
    );
  let kind: string;
  try {
    ({ kind } = parseForwardEndpoint(key, value, os));
  } catch (error) {
    throw wrong(where, messageOf(error), error);
  }
  if (kind === 'stdio') throw wrong(where, `${key}: the service has no stdio:. Give a path or exec:COMMAND`);
  return value;
}
