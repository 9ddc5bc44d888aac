import type { Result } from '../verdict.ts';
import { causeLine, causesOf } from './causes.ts';
import { shown } from './table.ts';

/** Maximum of listed causes: with more of them the lines of the cases are as short. */
const MOST_CAUSES = 12;

/** Prints causes of more than one case. */
export function sayCauses(results: readonly Result[], say: (text: string) => void): void {
  const shared = causesOf(results).filter(({ ids }) => ids.length > 1);
  for (const cause of shared.slice(0, MOST_CAUSES)) say(`${shown(causeLine(cause))}\n`);
  if (shared.length > MOST_CAUSES)
    say(`… and ${shared.length - MOST_CAUSES} causes more of two cases or more\n`);
}

/** Prints one line for each reason. */
export function sayNotRun(reasons: readonly string[], say: (text: string) => void): void {
  for (const reason of new Set(reasons)) {
    const count = reasons.filter((one) => one === reason).length;
    say(`not run: ${count} ${count === 1 ? 'case' : 'cases'}: ${reason}\n`);
  }
}
