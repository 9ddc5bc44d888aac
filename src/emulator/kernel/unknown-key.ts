import { closest } from '../../base/nearest.ts';

/**
 * Error text for an unknown key, with the most similar known key. The text contains only the start of `key`, which may
 * have any length.
 */
export function unknownKey(key: string, known: readonly string[]): string {
  const name = JSON.stringify(key.slice(0, 40));
  const near = closest(key, known);
  return near === undefined
    ? `unknown key ${name}`
    : `unknown key ${name}; the nearest known key is "${near.word}"`;
}
