import { closest } from '../../base/nearest.ts';

/** Says that a key is not known and which known one is nearest. `key` is cut, because it may be of any length. */
export function unknownKey(key: string, known: readonly string[]): string {
  const name = JSON.stringify(key.slice(0, 40));
  const near = closest(key, known);
  return near === undefined
    ? `unknown key ${name}`
    : `unknown key ${name}; the nearest known key is "${near.word}"`;
}
