import type { Result } from '../verdict.ts';
import { causeLine, causesOf } from './causes.ts';
import { safeText } from './table.ts';

/** Maximum of listed causes: a longer list would be no shorter than the lines of the cases. */
const MAX_CAUSES = 12;

/** Prints causes of more than one case. */
export function printCauses(results: readonly Result[], print: (text: string) => void): void {
  const shared = causesOf(results).filter(({ ids }) => ids.length > 1);
  for (const cause of shared.slice(0, MAX_CAUSES)) print(`${safeText(causeLine(cause))}\n`);
  if (shared.length > MAX_CAUSES)
    print(`… and ${shared.length - MAX_CAUSES} causes more of two cases or more\n`);
}

/** Prints one line for each different reason why cases were not run. */
export function printNotRun(reasons: readonly string[], print: (text: string) => void): void {
  for (const reason of new Set(reasons)) {
    const count = reasons.filter((one) => one === reason).length;
    print(`not run: ${count} ${count === 1 ? 'case' : 'cases'}: ${reason}\n`);
  }
}
