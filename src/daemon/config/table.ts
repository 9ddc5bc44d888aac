import { LocalError } from '../../base/local-error.ts';
import { didYouMean } from '../../base/nearest.ts';

/** Returns one table of the configuration, which has no other keys than `keys`. Throws as {@link wrong}. */
export function tableWith(
  keys: readonly string[],
  value: unknown,
  where: string,
): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw wrong(where, 'a table is expected');
  for (const key of Object.keys(value)) {
    if (keys.includes(key)) continue;
    const hint = didYouMean(key, keys) || ` Known are ${keys.join(', ')}.`;
    throw wrong(where, `${key.slice(0, 60)}: there is no such key.${hint}`);
  }
  return value as Readonly<Record<string, unknown>>;
}

/** A value of the configuration for a message, as JSON of at most 120 characters. */
export function print(value: unknown): string {
  return JSON.stringify(value)?.slice(0, 120) ?? 'nothing';
}

/** A fault in a table, in one line. `problem` is the message without its place in a file. */
export class TableFault extends LocalError {
  readonly problem: string;

  constructor(where: string, problem: string, options?: { readonly cause?: unknown }) {
    const sentence = /[.?]$/.test(problem) ? problem : `${problem}.`;
    super('FOOTBRIDGE_CONFIG', `${where}: ${sentence}`, options);
    this.problem = sentence;
  }
}

/** `LocalError` FOOTBRIDGE_CONFIG with the place and the problem in one line. */
export function wrong(where: string, problem: string, cause?: unknown): TableFault {
  return new TableFault(where, problem, cause === undefined ? undefined : { cause });
}
