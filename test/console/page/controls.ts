import type { Page } from 'playwright-core';

/** A control of a view, and a use of it that checks its effect. */
export type Control = readonly [control: RegExp, use: () => Promise<unknown>];

/** Lists what a user can operate, each as its kind and name: `button Ban otter`, `field Secret`, `choice User of Join`. */
const LIST = `[...document.querySelectorAll('#app a, #app button, #app input, #app select, #app textarea, #app summary, #app [role=listbox], #app [role=option]')].map((one) => {
  const kind = one.getAttribute('role') ?? { A: 'link', SELECT: 'choice', INPUT: 'field', TEXTAREA: 'field' }[one.tagName] ?? one.tagName.toLowerCase();
  const label = one.closest('label');
  const own = one.getAttribute('aria-label') ?? (label === null ? one.textContent : [...label.childNodes].find((node) => node.textContent.trim() !== '').textContent);
  const form = one.closest('form')?.getAttribute('aria-label');
  return kind + ' ' + own.trim().replace(/\\s+/g, ' ') + (form ? ' of ' + form : '');
})`;

/** Uses each control in turn; returns the controls that the page showed meanwhile and that none of them names. */
export async function useAll(page: Page, controls: readonly Control[]): Promise<readonly string[]> {
  const seen = new Set<string>();
  const look = async (): Promise<void> => {
    for (const one of (await page.evaluate(LIST)) as readonly string[]) seen.add(one);
  };
  for (const [, use] of controls) {
    await look();
    await use();
  }
  await look();
  return [...seen].filter((one) => !controls.some(([control]) => control.test(one))).sort();
}
