import { nearest } from '../../base/nearest.ts';

/** Maximum number of keys in a list of the known ones. */
const MAX_LISTED = 30;

/**
 * Error text for an unknown key, with the key that was probably meant, or else the known ones where they are few. The
 * text contains only the start of `key`, which may have any length.
 */
export function unknownKey(key: string, known: readonly string[]): string {
  const name = JSON.stringify(key.slice(0, 40));
  const meant = nearest(key, known);
  if (meant !== undefined) return `unknown key ${name}; the nearest known key is "${meant}"`;
  const isShort = known.length > 0 && known.length <= MAX_LISTED;
  return isShort ? `unknown key ${name}; known are ${known.join(', ')}` : `unknown key ${name}`;
}
