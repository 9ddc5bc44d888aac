import { LocalError } from '../../base/local-error.ts';
import { didYouMean } from '../../base/nearest.ts';
import type { Style } from '../../base/style.ts';
import { guideText } from '../guide-text.ts';
import { allChecks } from './checks.ts';

/** Page of a check; `text` is Markdown. */
export interface Page {
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

/** Ids of all pages. */
export const pageIds: readonly string[] = allChecks.map(({ id }) => id);

/** Page of the check with that id. Throws `LocalError` FOOTBRIDGE_USAGE for an unknown id. */
export function pageOf(id: string): Page {
  const check = allChecks.find((one) => one.id === id.toLowerCase());
  if (check === undefined) {
    const hint = didYouMean(id.toLowerCase(), pageIds) || ` The ids are ${pageIds.join(', ')}.`;
    throw new LocalError(
      'FOOTBRIDGE_USAGE',
      `doctor has no finding ${JSON.stringify(id.slice(0, 60))}.${hint}`,
    );
  }
  // The indentation belongs to the source file.
  return { id: check.id, title: check.title, text: check.explanation.trim().replaceAll(/^ +/gm, '') };
}

/** Page for a terminal. */
export function pageText({ id, title, text }: Page, style: Style): string {
  return guideText(`# ${id}: ${title}\n\n${text}\n`, style);
}
