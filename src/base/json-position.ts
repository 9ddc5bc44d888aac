/**
 * Position at which `text` stops being JSON, as a suffix of "is not JSON", where the parser reports a position. The
 * parser's own message is not used, because it quotes the text, which may contain a secret.
 */
export function jsonPosition(error: unknown, text: string): string {
  const message = error instanceof Error ? error.message : '';
  const [, position] = /at position (\d+)/.exec(message) ?? [];
  if (message.startsWith('Unexpected end') || Number(position) >= text.length) return ': it ends too early';
  return position === undefined ? '' : `: see character ${Number(position) + 1}`;
}
