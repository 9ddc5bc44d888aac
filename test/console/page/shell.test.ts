import { describe, expect, it } from 'vitest';
import { chromiumMissing } from '../../helpers/chromium.ts';
import { connectClient } from './app.ts';
import { opened } from './opened.ts';

const missing = chromiumMissing();

describe.skipIf(missing !== undefined)(`what surrounds the views of the console${missing ?? ''}`, () => {
  it('goes to a page, to the traffic of an app and to an operation by the palette, with the keyboard alone', async () => {
    const { emulator, page, complaints } = await opened();
    const app = await connectClient(emulator);
    await expect.poll(() => page.locator('main').textContent()).toContain('Harbour Example');
    const go = async (typed: string): Promise<void> => {
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Go to' }).fill(typed);
      await page.getByRole('dialog').getByRole('option').first().waitFor();
      await page.keyboard.press('Enter');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    };
    await go('doc');
    await page.getByRole('heading', { name: 'Doctor', level: 1 }).waitFor();
    await go('harbour traffic');
    await page.getByRole('heading', { name: 'Traffic', level: 1 }).waitFor();
    expect(decodeURIComponent(await page.evaluate('location.hash'))).toBe(
      '#/traffic?filter=app:"Harbour+Example"',
    );
    await go('error');
    expect(await page.evaluate('location.hash')).toBe('#/traffic?filter=status%3Aerror');
    await go('user.switch');
    await page.getByRole('heading', { name: 'user.switch' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Go to' }).fill('no such thing');
    await page.getByText('Nothing has this name.').waitFor();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    app.end();
    expect(complaints).toEqual([]);
  });
  it('lists the keys of the view, goes to a view by its number, and leaves a person alone who types', async () => {
    const { page, view } = await opened();
    await page.keyboard.press('?');
    await expect.poll(() => page.getByRole('dialog', { name: 'Keys' }).textContent()).toContain('Overview');
    await page.keyboard.press('Escape');
    await page.keyboard.press('2');
    await page.getByRole('heading', { name: 'Traffic', level: 1 }).waitFor();
    await view('faults');
    await page.locator('main input').first().focus();
    await page.keyboard.press('1');
    await page.keyboard.press('?');
    expect(await page.locator('main input').first().inputValue()).toBe('1?');
    expect(await page.getByRole('dialog').count()).toBe(0);
  });
  it.each([
    ['frames', 'Traffic'],
    ['grants', 'Requests and grants'],
    ['nowhere', 'Overview'],
    ['traffic/%', 'Traffic'],
  ])('leads the address #/%s to %s', async (address, title) => {
    const { page, origin, complaints } = await opened();
    await page.goto(`${origin}/#/${address}`);
    await page.getByRole('heading', { name: title, level: 1 }).waitFor();
    expect(complaints).toEqual([]);
  });
  it('keeps what it showed, without colour and with the time, while the bridge is away, and goes on by itself', async () => {
    const { emulator, page } = await opened();
    const app = await connectClient(emulator);
    const main = page.locator('main');
    await expect.poll(() => main.textContent()).toContain('Harbour Example');
    const header = page.locator('header.top');
    const before = await header.boundingBox();
    app.end();
    await emulator.close();
    await page.getByText('Bridge away').waitFor();
    expect((await header.boundingBox())?.height).toBe(before?.height);
    await expect.poll(() => header.textContent()).toMatch(/for [1-9]\d* seconds?; the page goes on/);
    await expect.poll(() => main.getAttribute('class')).toContain('away');
    expect(await main.textContent()).toContain('Harbour Example');
    const [accent, faint] = (await page.evaluate(
      `['--accent', '--faint'].map((name) => getComputedStyle(document.querySelector('main')).getPropertyValue(name))`,
    )) as readonly string[];
    expect(accent).toBe(faint);
  });
  it.each([
    ['', 'This console is closed to this browser'],
    ['/enter?key=none', 'This address does not open the console any more'],
  ])('tells another browser at "%s" what to do, in the colours of the console', async (path, title) => {
    const { page, origin } = await opened();
    const colours = (back: string, card: string) =>
      page.evaluate(`[${back}, ${card}].map((one) => getComputedStyle(one).backgroundColor)`);
    await page.locator('.card').first().waitFor();
    const expected = await colours('document.body', "document.querySelector('.card')");
    await page.context().clearCookies();
    await page.goto(`${origin}${path}`);
    await page.getByRole('heading', { name: title }).waitFor();
    expect(await colours('document.documentElement', "document.querySelector('main')")).toEqual(expected);
  });

  it('has a theme of high contrast', async () => {
    const { page } = await opened();
    await page.getByLabel('Theme').selectOption('contrast');
    await expect
      .poll(() => page.evaluate('getComputedStyle(document.body).color'))
      .toMatch(/^rgb\((?:0, 0, 0|255, 255, 255)\)$/);
  });
});
