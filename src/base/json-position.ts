/**
 * Where `text` stops being JSON, as what stands behind "is not JSON", where the parser says it: its own words quote the text,
 * which may hold a secret.
 */
export function jsonPosition(error: unknown, text: string): string {
  const message = error instanceof Error ? error.message : '';
  const [, position] = /at position (\d+)/.exec(message) ?? [];
  if (message.startsWith('Unexpected end') || Number(position) >= text.length) return ': it ends too early';
  return position === undefined ? '' : `: see character ${Number(position) + 1}`;
}
