import { describe, expect, it, onTestFinished } from 'vitest';
import { chromiumMissing } from '../../../helpers/chromium.ts';
import { connectClient } from '../app.ts';
import { FRAME, press, useAll } from '../controls.ts';
import { opened } from '../opened.ts';

const missing = chromiumMissing();

describe.skipIf(missing !== undefined)(
  `each control of the console page works:${missing ?? ''}`,
  { timeout: 180_000 },
  () => {
    it('of the traffic', async () => {
      const console = await opened();
      const { emulator, page, view } = console;
      const app = await connectClient(emulator);
      onTestFinished(() => app.end());
      const show = async (state: string): Promise<void> => {
        app.send('SET_ACTIVITY', { pid: process.pid, activity: { state } });
        await app.answer('SET_ACTIVITY');
      };
      await show('rowing home');
      await fetch(`${emulator.api}/v10/users/@me`);
      await view('traffic');
      const rows = page.getByRole('listbox', { name: 'Traffic', exact: true }).getByRole('option');
      const pinned = page.getByRole('listbox', { name: 'Pinned' }).getByRole('option');
      const filter = page.getByRole('combobox', { name: 'Filter' });
      const selected = rows.and(page.locator('[aria-selected=true]'));
      await expect.poll(() => rows.count()).toBe(4);
      const left = await useAll(page, [
        ...FRAME,
        [
          /^combobox Filter$/,
          async () => {
            await filter.fill('kind:ht');
            await page.getByRole('option', { name: /^http/ }).waitFor();
          },
        ],
        [
          /^(option http|listbox Completions)/,
          async () => {
            await page.getByRole('option', { name: /^http/ }).click();
            await expect.poll(() => filter.inputValue()).toBe('kind:http ');
            await expect.poll(() => rows.count()).toBe(1);
            await page.keyboard.press('Escape');
          },
        ],
        [
          /^switch Use filter$/,
          async () => {
            await page.getByRole('switch', { name: 'Use filter', checked: true }).click();
            await expect.poll(() => rows.count()).toBe(4);
            await page.getByRole('switch', { name: 'Use filter', checked: false }).click();
            await expect.poll(() => rows.count()).toBe(1);
          },
        ],
        [
          /^button (Keep|Forget) filter$/,
          async () => {
            await press(console, 'Keep filter');
            await page.getByLabel('Preset').selectOption({ label: 'Everything' });
            await expect.poll(() => rows.count()).toBe(4);
            await page.getByLabel('Preset').selectOption('kind:http');
            await expect.poll(() => rows.count()).toBe(1);
            await press(console, 'Forget filter');
            await page.getByRole('button', { name: 'Keep filter' }).waitFor();
            expect(await page.getByLabel('Preset').locator('option[value="kind:http"]').count()).toBe(0);
          },
        ],
        [
          /^choice Preset$/,
          async () => {
            await page.getByLabel('Preset').selectOption('Errors');
            await expect.poll(() => filter.inputValue()).toBe('status:error');
            await filter.fill('nothing has this');
          },
        ],
        // test/console/page/traffic.test.ts uses it.
        [/^button Empty the filter$/, async () => {}],
        [
          /^button Remove the filter$/,
          async () => {
            await press(console, 'Remove the filter');
            await expect.poll(() => rows.count()).toBe(4);
          },
        ],
        [
          /^option /,
          async () => {
            await rows.filter({ hasText: 'SET_ACTIVITY' }).click();
            await expect.poll(() => selected.locator('.name').textContent()).toBe('SET_ACTIVITY');
          },
        ],
        [
          /^listbox Traffic$/,
          async () => {
            await page.getByRole('listbox', { name: 'Traffic', exact: true }).focus();
            await page.keyboard.press('End');
            await expect.poll(() => selected.locator('.name').textContent()).toBe('GET /users/@me');
          },
        ],
        [
          /^(button Pin|listbox Pinned)$/,
          async () => {
            await press(console, 'Pin');
            await expect.poll(() => pinned.locator('.name').allTextContents()).toEqual(['GET /users/@me']);
            await press(console, 'Pin');
            await expect.poll(() => pinned.count()).toBe(0);
          },
        ],
        [
          /^switch Follow$/,
          async () => {
            const follow = page.getByRole('switch', { name: 'Follow' });
            expect(await follow.getAttribute('aria-checked')).toBe('false');
            await show('rowing back');
            // The new row is in sight, so nothing has to be pressed for it.
            await expect.poll(() => rows.count()).toBe(5);
            await follow.click();
            await expect.poll(() => follow.getAttribute('aria-checked')).toBe('true');
            await follow.click();
            await expect.poll(() => follow.getAttribute('aria-checked')).toBe('false');
          },
        ],
        [
          /^button Clear$/,
          async () => {
            await press(console, 'Clear');
            await page.getByText('Nothing has passed yet').waitFor();
          },
        ],
        // test/console/page/traffic-opened.test.ts uses each of these.
        [
          /^button (Resend|Edit and resend|Copy.*|Tree|Table|Raw|(Previous|Next) place|Download .*)$/,
          async () => {},
        ],
        [/^(field (Search in the content|Open a recorded file)|link Harbour Example)$/, async () => {}],
        [
          /^(summary .*|button Close)$/,
          async () => {
            await press(console, 'Close');
            await expect.poll(() => page.getByRole('complementary').count()).toBe(0);
          },
        ],
      ]);
      expect(left).toEqual([]);
    });
  },
);
