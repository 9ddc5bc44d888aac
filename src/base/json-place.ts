/**
 * Where `text` stops being JSON, as what stands behind "is not JSON", where the parser says it: its own words quote the text,
 * which may hold a secret.
 */
export function jsonPlace(error: unknown, text: string): string {
  const words = error instanceof Error ? error.message : '';
  const [, position] = /at position (\d+)/.exec(words) ?? [];
  if (words.startsWith('Unexpected end') || Number(position) >= text.length) return ': it ends too early';
  return position === undefined ? '' : `: see character ${Number(position) + 1}`;
}
