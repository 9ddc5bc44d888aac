/** Paints a text, or returns it unchanged where the output has no colours. */
export interface Style {
  strong(text: string): string;
  faint(text: string): string;
  good(text: string): string;
  warn(text: string): string;
  bad(text: string): string;
}

/** SGR codes of ECMA-48, by hand: Node 20's own styling does not honour `NO_COLOR`. */
export function styleFor(colour: boolean): Style {
  const paint =
    (on: number, off: number) =>
    (text: string): string =>
      colour ? `\u001b[${on}m${text}\u001b[${off}m` : text;
  return {
    strong: paint(1, 22),
    faint: paint(2, 22),
    good: paint(32, 39),
    warn: paint(33, 39),
    bad: paint(31, 39),
  };
}

/**
 * Rows as columns that line up, two spaces apart, without trailing blanks. A cell of more than `widest` characters moves
 * the rest of its own row alone.
 */
export function columns(rows: readonly (readonly string[])[], widest = Infinity): string {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [index, { length }] of row.entries())
      if (length <= widest) widths[index] = Math.max(widths[index] ?? 0, length);
  }
  return rows
    .map(
      (row) =>
        `${row
          .map((cell, index) => cell.padEnd(widths[index] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}
