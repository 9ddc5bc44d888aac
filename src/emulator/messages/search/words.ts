/** Splits a text into the words that the search compares, in lower case. */
export function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** Whether a text contains all wanted words close to each other, with at most `slop` other words between them. */
export function isClose(words: readonly number[], wanted: readonly number[], slop: number): boolean {
  if (wanted.length < 2) return true;
  const last = wanted.map(() => -1);
  for (let position = 0; position < words.length; position += 1) {
    const at = wanted.indexOf(words[position] ?? -1);
    if (at === -1) continue;
    last[at] = position;
    const first = Math.min(...last);
    if (first !== -1 && position - first + 1 - wanted.length <= slop) return true;
  }
  return false;
}
