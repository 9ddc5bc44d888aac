import { amount, printable } from '../base/text.ts';
import type { Violation } from '../emulator/api/violations.ts';

/** Maximum number of lines with violations. */
const MAX_LINES = 20;

/** Lines of a terminal about violations of strict mode. Equal ones are one line, with their number. */
export function violationsText(violations: readonly Violation[]): string {
  const counts = new Map<string, number>();
  for (const { rule, where, what } of violations) {
    const line = printable(`${rule}: ${where}: ${what}`);
    counts.set(line, (counts.get(line) ?? 0) + 1);
  }
  const lines = [...counts].map(([line, times]) =>
    times === 1 ? line : `${line} (${amount(times, 'time')})`,
  );
  const more = lines.length - MAX_LINES;
  const rest = more > 0 ? [`… and ${more} more`] : [];
  const rows = [...lines.slice(0, MAX_LINES), ...rest].map((line) => `  ${line}\n`);
  return `footbridge: strict mode found ${amount(violations.length, 'violation')}:\n${rows.join('')}`;
}
