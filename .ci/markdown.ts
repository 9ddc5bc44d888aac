// Markdown of generated pages.

/** Returns a table, each row with a line break at its end. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, ...rows].map((cells) => `| ${cells.map(cell).join(' | ')} |\n`);
  return [lines[0], `|${'---|'.repeat(head.length)}\n`, ...lines.slice(1)].join('');
}

export const code = (text: string): string => `\`${text}\``;
const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
