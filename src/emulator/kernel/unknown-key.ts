import { closest } from '../../base/nearest.ts';

/** Error text for an unknown key, with the nearest known one. `key` is cut, because it may be of any length. */
export function unknownKey(key: string, known: readonly string[]): string {
  const name = JSON.stringify(key.slice(0, 40));
  const near = closest(key, known);
  return near === undefined
    ? `unknown key ${name}`
    : `unknown key ${name}; the nearest known key is "${near.word}"`;
}
