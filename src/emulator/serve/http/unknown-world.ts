import { didYouMean } from '../../../base/nearest.ts';

/** Maximum number of worlds that a message lists. */
const MAX_LISTED = 20;

/** A sentence about a name that no world has. */
export function unknownWorldText(name: string, known: readonly string[]): string {
  const quoted = JSON.stringify(name.slice(0, 40));
  if (known.length === 0) return `There is no world ${quoted}: this bridge has no worlds`;
  const more = known.length > MAX_LISTED ? `, and ${known.length - MAX_LISTED} more` : '';
  return `There is no world ${quoted}.${didYouMean(name, known)} Worlds: ${known.slice(0, MAX_LISTED).join(', ')}${more}`;
}
