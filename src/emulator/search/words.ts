/** The words of a text, as they are searched by. */
export function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** Whether a text has all words close to each other: with no more than `slop` others between them. */
export function isClose(text: string, wanted: readonly string[], slop: number): boolean {
  const distinct = [...new Set(wanted)];
  if (distinct.length < 2) return true;
  const words = wordsOf(text);
  const last = new Map<string, number>();
  for (const [place, word] of words.entries()) {
    if (!distinct.includes(word)) continue;
    last.set(word, place);
    if (last.size < distinct.length) continue;
    const span = place - Math.min(...last.values()) + 1;
    if (span - distinct.length <= slop) return true;
  }
  return false;
}
