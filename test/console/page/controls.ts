import type { Page } from 'playwright-core';
import type { Opened } from './opened.ts';

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

/** What the tests read of the world of the emulator. */
interface World {
  me: string;
  client: { logged_in: boolean };
  account_bans: object[];
  voice: { mute: boolean; deaf: boolean; input: { volume: number }; output: { volume: number } };
  voice_states: { user: string; channel: string; speaking: boolean }[];
  messages: { content: string }[];
  lobbies: { members: object[] }[];
  lobby_messages: { content: string }[];
}

/** State of the emulator behind a console. */
export async function worldOf({ emulator }: Opened): Promise<World> {
  return (await emulator.operations.call('emulator.show')) as unknown as World;
}

/** Uses a button that is named by its whole name. */
export function press({ page }: Opened, name: string | RegExp): Promise<void> {
  return page.getByRole('button', { name, exact: true }).first().click();
}

/** Uses a button that asks once more. */
export async function pressTwice(console: Opened, name: string, question: string): Promise<void> {
  await press(console, name);
  await press(console, `${question} ${name}`);
}

/** Names of the views in the navigation. */
export const VIEW_NAMES = [
  'Traffic',
  'Requests',
  'Channels',
  'Presence',
  'World',
  'Faults',
  'Operations',
  'Doctor',
  'Overview',
];

/** Controls beside the view, which other tests use. */
export const FRAME: readonly Control[] = [
  [/^link Skip to the content$/, async () => {}],
  [/^choice Theme$/, async () => {}],
  [/^button (Go to… Ctrl K|Keys)$/, async () => {}],
  [new RegExp(`^link (${VIEW_NAMES.join('|')})( \\d+)?$`), async () => {}],
];
