import { describe, expect, it } from 'vitest';
import { chromiumMissing } from '../../../helpers/chromium.ts';
import { axeViolations } from '../axe.ts';
import { type DrawnPage, drawnPage } from './drawn-page.ts';
import { eachKind, NAMES } from './each-kind.ts';

const missing = chromiumMissing();

async function drawn(options: { readonly isStatic?: boolean } = {}): Promise<DrawnPage> {
  const opened = await drawnPage();
  await opened.draw(await eachKind(), NAMES, options);
  return opened;
}

const VISIBLE = [
  ['App', '(edited)', 'Forwarded', 'used', '/tide', 'is thinking…', 'Only you can see this message'],
  ['Tide table', 'Harbour office', 'by the office', 'tide.csv', 'missing-thumb.png'],
  ['Choose a berth', 'Select a user', 'Where?', 'Take it', 'Inside', 'Docs'],
  [
    'Where to?',
    'There was no winner.',
    'Plans of the crew',
    ':cat:',
    '@River',
    '@crew',
    '#general',
    '1 hour ago',
  ],
  ['pinned a message to this channel', 'started a thread', 'system message of type 99'],
].flat();

describe.skipIf(missing !== undefined)(`drawn messages${missing ?? ''}`, () => {
  it('show one of each kind that the emulator writes', async () => {
    const { page, complaints } = await drawn();
    for (const text of VISIBLE) {
      await expect.soft(page.getByText(text).first().isVisible(), text).resolves.toBe(true);
    }
    await expect.soft(page.locator('.jumbo').textContent()).resolves.toBe('👍🎉');
    await expect.soft(page.locator('.sticker img').getAttribute('alt')).resolves.toBe('Wave');
    await expect.soft(page.getByText(/Component of type|cannot be drawn/).count()).resolves.toBe(0);
    // Of a message of separators alone nothing is drawn; the other one lies in a container.
    await expect.soft(page.locator('.component-separator').count()).resolves.toBe(1);
    expect(complaints).toEqual([]);
  });

  it('link to the Web alone, without a referrer', async () => {
    const { page } = await drawn();
    const links = (await page.evaluate(
      `[...document.querySelectorAll('.message a[target]')].map(({ protocol, target, rel }) => protocol + target + ' ' + rel)`,
    )) as string[];
    expect(links.length).toBeGreaterThan(5);
    expect(new Set(links)).toEqual(new Set(['https:_blank noreferrer noopener']));
  });

  it('call the action of each control with its arguments', async () => {
    const { page, called } = await drawn();
    const press = async (name: string | RegExp): Promise<unknown> => {
      await page.getByRole('button', { name, exact: true }).first().click();
      return called();
    };
    expect(await press('Book')).toEqual([['click', 'book']]);
    expect(await press('Inside')).toEqual([['click', 'inside']]);
    expect(await press('Take it')).toEqual([['click', 'take']]);
    expect(await press('👍: 1, with yours')).toEqual([['react', '👍', true]]);
    expect(await press(/^Plans of the crew/)).toEqual([['open', expect.any(String)]]);
    expect(await press('Reply')).toEqual([['reply']]);
    await press('Delete the message');
    expect(await press('Delete? Delete the message')).toEqual([['remove']]);
    expect(await press('Add a reaction')).toEqual([]);
    await page.getByLabel('Other emoji, or name:id').fill('cat:5');
    expect(await press('React')).toEqual([['react', 'cat:5', false]]);
    await page.getByLabel('Pier').check();
    await page.getByLabel('Sea').check();
    expect(await press('Vote')).toEqual([['vote', [1, 2]]]);
    await expect(page.getByRole('button', { name: 'Sink' }).isDisabled()).resolves.toBe(true);
  });

  it('show why an action was refused beside its control', async () => {
    const { page } = await drawn();
    await page.evaluate('window.refusal = "The message has changed."');
    await page.getByRole('button', { name: 'Book', exact: true }).click();
    await page.getByRole('alert').getByText('The message has changed.').waitFor();
  });

  it('let a select be used with the keyboard alone', async () => {
    const { page, called } = await drawn();
    await page.getByRole('button', { name: 'Choose a berth' }).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    expect(await called()).toEqual([['choose', 'berth', ['s']]]);
    await expect(
      page.getByRole('button', { name: 'Choose a berth: South' }).evaluate((one) => one.matches(':focus')),
    ).resolves.toBe(true);

    await page.getByRole('button', { name: 'Select a user', exact: true }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('option', { name: 'River' }).waitFor();
    await page.keyboard.type('Ad');
    await page.getByRole('option', { name: 'River' }).waitFor({ state: 'detached' });
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Space');
    await page.getByRole('button', { name: 'Choose 1' }).press('Enter');
    expect(await called()).toEqual([
      ['suggest', 'user', ''],
      ['suggest', 'user', 'A'],
      ['suggest', 'user', 'Ad'],
      ['choose', 'users', ['1']],
    ]);
    await page.getByRole('button', { name: 'Where?' }).press('Enter');
    await page.getByRole('listbox').waitFor();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('listbox').count()).resolves.toBe(0);
  });

  it('open a spoiler by a key, which keeps the focus there', async () => {
    const { page } = await drawn();
    const spoiler = page.getByRole('button', { name: 'Show the spoiler' }).first();
    await expect(page.getByText('secret', { exact: true }).first().isVisible()).resolves.toBe(false);
    await spoiler.press('Enter');
    await expect(page.getByText('secret', { exact: true }).first().isVisible()).resolves.toBe(true);
    await expect(page.locator('.spoiler.open').evaluate((one) => one.matches(':focus'))).resolves.toBe(true);
  });

  it('have no control without actions', async () => {
    const { page } = await drawn({ isStatic: true });
    await page.getByText('Choose a berth').waitFor();
    await expect(
      page.locator('main').locator('button, input, select, textarea, [tabindex]').count(),
    ).resolves.toBe(0);
  });

  it('have no axe violation in any theme', async () => {
    const { page } = await drawn();
    await page.getByRole('button', { name: 'Choose a berth' }).click();
    await page.getByRole('button', { name: 'Show the spoiler' }).first().click();
    for (const theme of ['light', 'dark', 'contrast']) {
      await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`);
      expect(await axeViolations(page), theme).toEqual([]);
    }
  });

  it('fit every width', async () => {
    const { page } = await drawn();
    for (const width of [320, 420, 1200]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
      const cut = await page.evaluate(
        `[...document.querySelectorAll('.message *')].filter((one) => one.getBoundingClientRect().right > innerWidth && !one.closest('.unseen, svg')).map((one) => one.outerHTML.slice(0, 100))`,
      );
      expect(cut, String(width)).toEqual([]);
      // The buttons of a message cover nothing of the message that it answers.
      const reply = page.locator('.message', { has: page.locator('.excerpt') }).last();
      await reply.hover();
      const quoted = await reply.locator('.excerpt').boundingBox();
      const buttons = await reply.getByRole('group', { name: 'Message', exact: true }).boundingBox();
      expect((quoted?.x ?? 0) + (quoted?.width ?? 0)).toBeLessThanOrEqual(buttons?.x ?? 0);
    }
  });
});
