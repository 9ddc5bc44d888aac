import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { chromiumMissing } from '../../helpers/chromium.ts';
import { GUILD, look } from './channels-bot.ts';
import { type Opened, opened } from './opened.ts';

const ME = '200000000000000001';

/** Names that leave their box where a style forgets it, each as long as a user's name may be. */
const NAMES = [
  'W'.repeat(32),
  `Z${'\u0301'.repeat(31)}`,
  '\u202e\u202egnp.exe\u2066',
  '<script>alert(1)</script><img src'.slice(0, 32),
];
const LONG = 'M'.repeat(100);

it.skipIf(chromiumMissing() !== undefined)(
  'long and hostile names of users, guilds, channels and applications move no control off the page at any width',
  async () => {
    const console = await opened();
    await fill(console.emulator);
    const { page, view } = console;
    for (const width of [1280, 420]) {
      await page.setViewportSize({ width, height: 800 });
      for (const name of [
        'overview',
        'traffic',
        'requests',
        'presence',
        'world',
        'faults',
        'operations',
        'doctor',
      ]) {
        await view(name);
        if (name === 'world') await page.getByText(LONG).locator('visible=true').first().waitFor();
        expect(await outside(page), `${name} at ${width}`).toEqual([]);
      }
      await look(console, 'river');
      expect(await outside(page), `channels at ${width}`).toEqual([]);
    }
  },
  120_000,
);

it.skipIf(chromiumMissing() !== undefined)(
  'a name that overrides the direction leaves the text beside it as it is',
  async () => {
    const { emulator, page, view } = await opened();
    await fill(emulator);
    await view('world');
    const row = page.getByRole('listitem').filter({ hasText: 'gnp.exe' }).first();
    const [name, id] = [
      await row.locator('bdi').first().boundingBox(),
      await row.locator('.id').boundingBox(),
    ];
    expect(name?.x).toBeLessThan(id?.x ?? 0);
  },
);

it.skipIf(chromiumMissing() !== undefined)(
  'combining marks of a name are not drawn over the row above',
  async () => {
    const { emulator, page, view } = await opened();
    await fill(emulator);
    await view('world');
    const row = page.getByRole('listitem').filter({ hasText: '\u0301\u0301' }).first();
    await row.waitFor();
    expect(await page.evaluate(OVERFLOW_OF_MARKS)).toBe('clip');
  },
);

/** Adds users, guilds, channels and applications with these names. */
async function fill({ operations }: Opened['emulator']): Promise<void> {
  const id = (kind: number, index: number): string => `${kind}1000000000000000${index}`;
  await operations.call('emulator.apply', {
    patch: {
      users: NAMES.map((name, index) => ({ id: id(2, index), username: `u${index}`, global_name: name })),
      applications: [...NAMES, LONG].map((name, index) => ({ id: id(3, index), name })),
      guilds: [
        { id: GUILD, members: NAMES.map((_, index) => ({ user: id(2, index) })) },
        ...[...NAMES, LONG].map((name, index) => ({
          id: id(4, index),
          name,
          members: [{ user: ME }],
          channels: [
            { id: id(5, index), name, type: 0 },
            { id: id(6, index), name, type: 2 },
          ],
        })),
      ],
    },
  });
}

/** What makes the page scroll sideways, and its controls that are off the screen. */
async function outside(page: Page): Promise<readonly string[]> {
  return page.evaluate(OUTSIDE);
}

/** Runs in the browser. What is in a list that scrolls by itself is not outside. */
const OUTSIDE = `(() => {
  const width = document.documentElement.clientWidth;
  const wide = document.scrollingElement.scrollWidth > width ? ['the page scrolls sideways'] : [];
  const scrolls = (control) => {
    for (let one = control.parentElement; one !== null && one !== document.body; one = one.parentElement)
      if (/auto|scroll/.test(getComputedStyle(one).overflowX)) return true;
    return false;
  };
  const controls = [...document.querySelectorAll('main button, main select, main input, header button, header select')];
  const left = controls.filter((control) => {
    const { left: from, right: to } = control.getBoundingClientRect();
    return from !== to && !control.closest('.unseen') && (from < 0 || to > width) && !scrolls(control);
  });
  return [...wide, ...left.map(({ outerHTML }) => outerHTML.slice(0, 80))];
})()`;

const OVERFLOW_OF_MARKS = `getComputedStyle(
  [...document.querySelectorAll('main li')].find(({ textContent }) => textContent.includes('\u0301\u0301')),
).overflowY`;
