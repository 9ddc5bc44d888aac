import type { FilterKey } from './keys.ts';
import { tokensIn } from './tokens.ts';

/** The filter with one term of a key, which replaces the others of that key; without a value they are removed. */
export function withTerm(filter: string, key: FilterKey, value: string | undefined): string {
  const others = tokensIn(filter)
    .filter((token) => token.key !== key)
    .map(({ from, to }) => filter.slice(from, to));
  return [...others, ...(value === undefined ? [] : [`${key}:${value}`])].join(' ');
}
