import { nearest } from '../../base/nearest.ts';

/** Default maximum length of the list of the known keys, in characters: a refusal may name several unknown keys. */
const MAX_LIST = 100;

/**
 * Error text for an unknown key, with the key that was probably meant, or else a short list of the known ones. The
 * text contains only the start of `key`, which may have any length.
 */
export function unknownKey(key: string, known: readonly string[], maxList = MAX_LIST): string {
  const name = JSON.stringify(key.slice(0, 40));
  const meant = nearest(key, known);
  if (meant !== undefined) return `unknown key ${name}; the nearest known key is "${meant}"`;
  const list = known.join(', ');
  return list === '' || list.length > maxList
    ? `unknown key ${name}`
    : `unknown key ${name}; known are ${list}`;
}
