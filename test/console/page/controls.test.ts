import { describe, expect, it, onTestFinished } from 'vitest';
import { chromiumMissing } from '../../helpers/chromium.ts';
import { connectClient } from './app.ts';
import { FRAME, press, pressTwice, useAll, VIEW_NAMES, worldOf } from './controls.ts';
import { opened } from './opened.ts';

const missing = chromiumMissing();
const APP = '300000000000000001';

describe.skipIf(missing !== undefined)(
  `each control of the console page works:${missing ?? ''}`,
  { timeout: 180_000 },
  () => {
    it('around the views', async () => {
      const console = await opened();
      const { page } = console;
      const [skip, theme, dialogs, links] = FRAME.map(([control]) => control);
      const left = await useAll(page, [
        [/^button Copy: /, async () => {}],
        [
          skip ?? /^/,
          async () => {
            await page.keyboard.press('Tab');
            await page.keyboard.press('Enter');
            await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('content');
          },
        ],
        [
          theme ?? /^/,
          async () => {
            await page.getByLabel('Theme').selectOption('dark');
            await expect.poll(() => page.evaluate('document.documentElement.dataset.theme')).toBe('dark');
          },
        ],
        [
          dialogs ?? /^/,
          async () => {
            await press(console, 'Keys');
            await page.getByRole('dialog', { name: 'Keys' }).waitFor();
            await page.keyboard.press('Escape');
            await page.getByRole('dialog').waitFor({ state: 'detached' });
          },
        ],
        [
          links ?? /^/,
          async () => {
            for (const name of VIEW_NAMES.filter((one) => one !== 'Channels')) {
              await page.getByRole('navigation').getByRole('link', { name }).click();
              await page.getByRole('heading', { name, level: 1 }).waitFor();
            }
          },
        ],
      ]);
      expect(left).toEqual([]);
    });
  },
);

describe.skipIf(missing !== undefined)(`the console page${missing ?? ''}`, { timeout: 120_000 }, () => {
  it('takes a question back after Escape and after the focus leaves, and counts a double click or a held key once', async () => {
    const console = await opened();
    const { page, view } = console;
    await view('world');
    const ban = page.getByRole('button', { name: 'Ban otter', exact: true });
    const question = page.getByRole('button', { name: 'Really ban? Ban otter' });
    const bans = async () => (await worldOf(console)).account_bans;
    await ban.focus();
    await page.keyboard.press('Enter');
    await question.waitFor();
    await page.keyboard.press('Escape');
    await ban.waitFor();
    await page.keyboard.press('Enter');
    await question.waitFor();
    await page.keyboard.press('Tab');
    await ban.waitFor();
    await ban.dblclick();
    await question.waitFor();
    await page.keyboard.press('Escape');
    await ban.waitFor();
    // A key that is down twice without being up is held.
    for (let time = 0; time < 5; time += 1) await page.keyboard.down('Enter');
    await page.keyboard.up('Enter');
    await question.waitFor();
    expect(await bans()).toEqual([]);
    await page.keyboard.press('Enter');
    await expect.poll(bans).toHaveLength(1);
  });

  it('offers no action while the bridge is down, and says why', async () => {
    const console = await opened();
    const { emulator, page, view } = console;
    await emulator.operations.call('fault.add', { fault: 'drop', command: 'GET_GUILD' });
    const app = await connectClient(emulator);
    onTestFinished(() => app.end());
    app.send('AUTHORIZE', { client_id: APP, scopes: ['identify'] });
    await expect.poll(() => emulator.operations.call('requests.list')).toHaveLength(1);
    await page.getByRole('link', { name: 'Requests 1', exact: true }).waitFor();
    const names = ['requests', 'world', 'faults'] as const;
    for (const name of names) {
      // The view is filled when the bridge ends.
      const pageOf = name === 'requests' ? page : await page.context().newPage();
      if (pageOf !== page) await pageOf.goto(`${console.origin}/#/${name}`);
      else await view(name);
      await pageOf.locator('main button').first().waitFor();
    }
    await emulator.close();
    for (const open of page
      .context()
      .pages()
      .filter((one) => one.url().startsWith(console.origin))) {
      await open.getByText('Bridge away').waitFor();
      const controls = open.locator('main button:not(.copy), main input[type=range]');
      await expect
        .poll(() =>
          controls.evaluateAll((all) =>
            all.every((one) => (one as unknown as { disabled: boolean }).disabled),
          ),
        )
        .toBe(true);
      const reason = await open.locator('#why-not').textContent();
      expect(reason).not.toBe('');
      expect(await controls.first().getAttribute('title')).toBe(reason);
    }
    // A view that is opened now says nothing of lists that it has not read.
    for (const name of ['requests', 'faults', 'world']) {
      await page.goto('about:blank');
      await page.goto(`${console.origin}/#/${name}`);
      await page.locator('main').getByRole('alert').first().waitFor();
      expect(await page.locator('main').textContent(), name).not.toMatch(
        /No app has a permission|No request waits|There is no fault|Looking/,
      );
    }
    await view('doctor');
    await press(console, 'Look again');
  });

  it('keeps the row of a long refusal as it was', async () => {
    const console = await opened();
    const { emulator, page, view } = console;
    const app = await connectClient(emulator);
    onTestFinished(() => app.end());
    await view('requests');
    app.send('AUTHORIZE', { client_id: APP, scopes: ['identify'] });
    await press(console, 'Always allow: Harbour Example');
    await app.answer('AUTHORIZE');
    const message = `${'Nothing of this can be stored in the folder. '.repeat(30)}${'x'.repeat(500)}`;
    await page.route(/\/call\/(grants\.revoke|user\.ban)$/, (route) =>
      route.fulfill({ status: 409, json: { code: 'FOOTBRIDGE_REFUSED', message } }),
    );
    for (const [name, button, question, row] of [
      [
        'requests',
        'Revoke the grant of Harbour Example',
        'Really revoke?',
        'main ul[aria-label="List of grants"] li',
      ],
      ['world', 'Ban otter', 'Really ban?', 'main .rows li:has(button[aria-label="Ban otter"])'],
    ] as const) {
      await view(name);
      await page.setViewportSize({ width: 1000, height: 800 });
      await pressTwice(console, button, question);
      const refusal = page.locator(row).getByRole('alert');
      expect(await refusal.textContent()).toBe(message);
      const box = await page.locator(row).boundingBox();
      expect(box?.height, name).toBeLessThan(220);
      const { width: wide = 0, height: high = 0 } = (await refusal.boundingBox()) ?? {};
      expect(wide, name).toBeGreaterThan(200);
      expect(high, name).toBeGreaterThan(40);
      expect(await page.evaluate('document.documentElement.scrollWidth'), name).toBeLessThanOrEqual(1000);
    }
  });

  it('says what is wrong with an address, or shows a view', async () => {
    const { page, origin, complaints } = await opened();
    for (const [hash, heading] of [
      ['#/operations/no.such', 'Operations'],
      ['#/operations/..', 'Operations'],
      ['#/operations/%2e%2e', 'Operations'],
      ['#/operations/', 'Operations'],
      ['#/nothing/at/all', 'Overview'],
    ] as const) {
      await page.goto(`${origin}/${hash}`);
      await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
      if (/operations\/[n.]/.test(hash)) await page.getByText('This bridge has no operation').waitFor();
    }
    expect(complaints).toEqual([]);
  });
});
