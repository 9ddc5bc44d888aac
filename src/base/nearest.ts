/**
 * Number of letters that must change, or pairs of neighbours that must swap, to turn one word into the other (optimal
 * string alignment); both words are short. The package fastest-levenshtein counts swapped neighbours, the commonest
 * slip, as two.
 */
function distance(from: string, to: string): number {
  let last: readonly number[] = [];
  let previous = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let index = 0; index < from.length; index++) {
    const row = [index + 1];
    for (let column = 0; column < to.length; column++) {
      const replaced = (previous[column] ?? 0) + (from[index] === to[column] ? 0 : 1);
      const isSwapped = from[index] === to[column - 1] && from[index - 1] === to[column];
      const swapped = isSwapped ? (last[column - 1] ?? Infinity) + 1 : Infinity;
      row.push(Math.min(replaced, swapped, (previous[column + 1] ?? 0) + 1, (row[column] ?? 0) + 1));
    }
    last = previous;
    previous = row;
  }
  return previous.at(-1) ?? 0;
}

/** Minimum number of typed letters that count as the beginning of a known word. */
const SHORTEST_BEGINNING = 3;

/**
 * The closest known word and its distance, whatever their case; undefined when `known` is empty. Compares the first 40
 * characters of `word`.
 */
export function closest(
  word: string,
  known: readonly string[],
): { readonly word: string; readonly away: number } | undefined {
  const typed = word.slice(0, 40).toLowerCase();
  let best: { readonly word: string; readonly away: number } | undefined;
  for (const candidate of known) {
    const away = distance(typed, candidate.toLowerCase());
    if (best === undefined || away < best.away) best = { word: candidate, away };
  }
  return best;
}

/**
 * The known word that was probably meant: the only word that begins with `word`, or else the closest one; undefined
 * when no word is close. Compares the first 40 characters of `word`.
 */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const typed = word.slice(0, 40).toLowerCase();
  const [begun, another] =
    typed.length < SHORTEST_BEGINNING ? [] : known.filter((one) => one.toLowerCase().startsWith(typed));
  if (begun !== undefined && another === undefined) return begun;
  const best = closest(word, known);
  // A word with half of its letters wrong is a different word.
  return best !== undefined && best.away * 2 < best.word.length ? best.word : undefined;
}

/** ` Did you mean "…"?`, or nothing. */
export function didYouMean(word: string, known: readonly string[]): string {
  const meant = nearest(word, known);
  return meant === undefined ? '' : ` Did you mean "${meant}"?`;
}
