import type { FilterKey } from './keys.ts';
import { tokensIn } from './tokens.ts';

/** Terms of a filter that have one of the keys, negated ones too, and all others. */
export function splitFilter(
  filter: string,
  keys: readonly string[],
): { readonly having: string; readonly others: string } {
  const texts = (has: boolean): string =>
    tokensIn(filter)
      .filter(({ key }) => keys.includes(key) === has)
      .map(({ from, to }) => filter.slice(from, to))
      .join(' ');
  return { having: texts(true), others: texts(false) };
}

/** The filter with one term of a key, which replaces the others of that key; without a value they are removed. */
export function withTerm(filter: string, key: FilterKey, value: string | undefined): string {
  const others = tokensIn(filter)
    .filter((token) => token.key !== key)
    .map(({ from, to }) => filter.slice(from, to));
  return [...others, ...(value === undefined ? [] : [`${key}:${value}`])].join(' ');
}
