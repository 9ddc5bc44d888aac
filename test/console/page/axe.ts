import axe from 'axe-core';
import type { Page } from 'playwright-core';

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string }[];
}

/**
 * What axe finds at a page, one line for each rule: the rule and the elements. Transitions are off from here on, because a
 * colour on its way from one theme to the other is no colour of either.
 */
export async function axeViolations(page: Page): Promise<readonly string[]> {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.evaluate(axe.source);
  const found = (await page.evaluate('axe.run()')) as { readonly violations: readonly Violation[] };
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}
