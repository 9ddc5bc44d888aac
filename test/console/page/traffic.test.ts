import type { Page } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { chromiumMissing } from '../../helpers/chromium.ts';
import { type ConnectedApp, connectClient } from './app.ts';
import { axeViolations } from './axe.ts';
import { type Opened, opened } from './opened.ts';
import { sendRows, syntheticTraffic } from './synthetic.ts';

const missing = chromiumMissing();

const listOf = (page: Page) => page.getByRole('listbox', { name: 'Traffic', exact: true });
const rowsOf = (page: Page) => listOf(page).getByRole('option');
const filterOf = (page: Page) => page.getByRole('combobox', { name: 'Filter' });
/** Text of each column of the first row that has a name. */
const columnsOf = async (page: Page, name: string): Promise<Readonly<Record<string, string>>> =>
  rowsOf(page)
    .filter({ has: page.locator('.name', { hasText: new RegExp(`^${name}$`) }) })
    .first()
    .evaluate((row) =>
      Object.fromEntries(
        [
          ...(row as unknown as { children: Iterable<{ className: string; textContent: string }> }).children,
        ].map(({ className, textContent }) => [className.split(' ')[0], textContent]),
      ),
    );
const NO_BOX = { x: Number.NaN, y: Number.NaN, width: Number.NaN, height: Number.NaN };
/** How much of the list is below what is seen (px). */
const BELOW = `(() => {
  const box = document.querySelector('[role=listbox][aria-label=Traffic]');
  return box.scrollHeight - box.scrollTop - box.clientHeight;
})()`;
/** Numbers of the rows that are seen whole, and the place of the first in the view (px). */
const SEEN = `(() => {
  const box = document.querySelector('[role=listbox][aria-label=Traffic]').getBoundingClientRect();
  const seen = [...document.querySelectorAll('[role=listbox][aria-label=Traffic] .row')]
    .map((row) => ({ row, top: row.getBoundingClientRect().top - box.top }))
    .filter(({ top }) => top >= 0 && top < box.height)
    .sort((a, b) => a.top - b.top);
  return seen.slice(0, 5).map(({ row, top }) => row.id + ' at ' + Math.round(top)).join(', ');
})()`;

/** The view of a console with an app that has asked three times, once in vain. */
async function withTraffic(): Promise<Opened & { readonly app: ConnectedApp }> {
  const console = await opened({ consent: 'allow' });
  const app = await connectClient(console.emulator);
  onTestFinished(() => app.end());
  app.send('SET_ACTIVITY', { pid: process.pid, activity: { state: 'rowing home' } });
  await app.answer('SET_ACTIVITY');
  app.send('GET_GUILDS', {});
  await app.answer('GET_GUILDS');
  await fetch(`${console.emulator.api}/v10/users/@me`);
  await console.view('traffic');
  await rowsOf(console.page).filter({ hasText: 'users/@me' }).waitFor();
  return { ...console, app };
}

describe.skipIf(missing !== undefined)(`the console's traffic${missing ?? ''}`, { timeout: 120_000 }, () => {
  it('has a request and its answer in one row, with the name of the app, the result and the duration', async () => {
    const { page, complaints } = await withTraffic();
    const app = 'Harbour Example';
    // The name comes with the bridge's status.
    await expect.poll(() => columnsOf(page, 'HANDSHAKE')).toMatchObject({ app, kind: 'RPC', result: 'ok' });
    const set = await columnsOf(page, 'SET_ACTIVITY');
    expect(set).toMatchObject({ app, kind: 'RPC', result: 'ok' });
    expect(set['ms']).toMatch(/^[\d.]+ m?s$/);
    expect(set['size']).toMatch(/^\d+ B$|kB$/);
    expect(set['time']).toMatch(/^\d\d:\d\d:\d\d\.\d{3}$/);
    const failed = await columnsOf(page, 'GET_GUILDS');
    expect(failed).toMatchObject({ app, result: '4006' });
    // The reason stands in the row.
    expect(failed['detail']).not.toMatch(/^$|[{}]/);
    expect(await columnsOf(page, 'GET /users/@me')).toMatchObject({
      kind: 'HTTP',
      result: '401',
      detail: '401: Unauthorized',
    });
    const colours = await page
      .locator('.row .app', { hasText: app })
      .evaluateAll((all) => [
        ...new Set(all.map((one) => (one as unknown as { className: string }).className)),
      ]);
    expect(colours).toHaveLength(1);
    expect(complaints).toEqual([]);
  });

  it('filters, keeps the filter in the address, and marks a place that it cannot read', async () => {
    const { page } = await withTraffic();
    const all = await rowsOf(page).count();
    await filterOf(page).fill('status:error kind:rpc');
    await expect.poll(() => rowsOf(page).count()).toBe(1);
    expect(new URL(page.url()).hash).toBe('#/traffic?filter=status%3Aerror+kind%3Arpc');
    await page.reload();
    await expect.poll(() => rowsOf(page).count()).toBe(1);
    expect(await filterOf(page).inputValue()).toBe('status:error kind:rpc');

    await filterOf(page).fill('status:error kind:rcp');
    const place = page.locator('#filter-problem');
    await expect.poll(() => place.textContent()).toContain('Did you mean "rpc"?');
    expect(await place.locator('mark').textContent()).toBe('kind:rcp');
    expect(await filterOf(page).getAttribute('aria-invalid')).toBe('true');
    // What the list has can be copied; and completions leave the reason visible.
    await page.getByText("footbridge watch --filter 'status:error kind:rpc'", { exact: true }).waitFor();
    const offers = page.getByRole('listbox', { name: 'Completions' });
    await filterOf(page).fill('status:error kind:rcp status:');
    await offers.waitFor();
    expect(
      ((await place.boundingBox()) ?? NO_BOX).y + ((await place.boundingBox()) ?? NO_BOX).height,
    ).toBeLessThanOrEqual(((await offers.boundingBox()) ?? NO_BOX).y);
    expect(await rowsOf(page).count()).toBe(1);

    await filterOf(page).fill('status:error kind:rpc');
    await page.getByRole('switch', { name: 'Use filter', checked: true }).click();
    await expect.poll(() => rowsOf(page).count()).toBe(all);
    expect(await filterOf(page).inputValue()).toBe('status:error kind:rpc');
    await page.getByRole('switch', { name: 'Use filter', checked: false }).click();
    await expect.poll(() => rowsOf(page).count()).toBe(1);

    await page.getByLabel('Preset').selectOption('HTTP and webhooks');
    await expect.poll(() => rowsOf(page).allTextContents()).toEqual([expect.stringContaining('users/@me')]);
    await filterOf(page).fill('nothing has this');
    await page.getByText('No traffic matches the filter').waitFor();
    await page.getByRole('button', { name: 'Remove the filter' }).click();
    await expect.poll(() => rowsOf(page).count()).toBe(all);
    expect(new URL(page.url()).hash).toBe('#/traffic');
  });

  it('adds a preset to the app of the filter, and goes back to everything', async () => {
    const { page } = await withTraffic();
    const all = await rowsOf(page).count();
    const preset = page.getByLabel('Preset');
    const chosen = () => preset.locator('option:checked').textContent();
    await filterOf(page).fill('app:"Harbour Example" cmd:GET_GUILDS');
    await expect.poll(chosen).toBe('Own filter');
    await preset.selectOption('Errors');
    await expect.poll(() => filterOf(page).inputValue()).toBe('app:"Harbour Example" status:error');
    await expect.poll(chosen).toBe('Errors');
    await preset.selectOption('Commands and events');
    await expect.poll(() => filterOf(page).inputValue()).toBe('app:"Harbour Example" kind:rpc,event');
    await preset.selectOption('Everything');
    await expect.poll(() => filterOf(page).inputValue()).toBe('');
    await filterOf(page).fill('nothing has this');
    await expect.poll(chosen).toBe('Own filter');
    await page.getByRole('button', { name: 'Empty the filter' }).click();
    await expect.poll(() => rowsOf(page).count()).toBe(all);
    expect(await filterOf(page).inputValue()).toBe('');
  });

  it('names the code of a refusal, and keeps its buttons in their places', async () => {
    const { page } = await withTraffic();
    const keep = page.getByRole('button', { name: 'Keep filter' });
    const clear = page.getByRole('button', { name: 'Clear', exact: true });
    const place = async () => [await keep.boundingBox(), await clear.boundingBox()];
    const before = await place();
    await rowsOf(page).filter({ hasText: 'GET_GUILDS' }).click();
    await page.getByText('Result 4006 INVALID_PERMISSIONS').waitFor();
    await filterOf(page).fill('cmd:GET_GUILDS');
    await expect.poll(() => rowsOf(page).count()).toBe(1);
    await filterOf(page).press('Escape');
    expect(await place()).toEqual(before);
    // Beside an opened row there is no column for the reason.
    const why = await page.evaluate(
      `getComputedStyle(document.querySelector('.list .row.failed .name'), '::after').content`,
    );
    expect(why).toMatch(/^" needs the scope rpc/);
  });

  it('says of an opened row that the filter removes it', async () => {
    const { page } = await withTraffic();
    const filter = page.getByRole('switch', { name: 'Use filter' });
    expect(await filter.isDisabled()).toBe(true);
    await rowsOf(page).filter({ hasText: 'SET_ACTIVITY' }).click();
    const note = page.getByRole('complementary').getByText('not in the filter');
    expect(await listOf(page).getAttribute('aria-activedescendant')).toMatch(/^row-\d+$/);
    expect(await note.count()).toBe(0);
    await filterOf(page).fill('cmd:GET_GUILDS');
    await note.waitFor();
    expect(await listOf(page).getAttribute('aria-activedescendant')).toBeNull();
    expect(await filter.isDisabled()).toBe(false);
    expect(await axeViolations(page)).toEqual([]);
  });

  it('shows an answer that lets a request pass, at the place of the request', async () => {
    const { page, app, emulator } = await withTraffic();
    await filterOf(page).fill('status:error');
    await expect.poll(() => rowsOf(page).count()).toBe(2);
    await emulator.operations.call('fault.add', { fault: 'drop', command: 'GET_CHANNEL' });
    app.send('GET_CHANNEL', { channel_id: '1' });
    app.send('GET_GUILDS', {});
    await app.answer('GET_GUILDS');
    await expect.poll(() => rowsOf(page).count()).toBe(3);
    app.end();
    await expect.poll(() => rowsOf(page).count()).toBe(4);
    const names = await rowsOf(page).locator('.name').allTextContents();
    expect(names.slice(-2)).toEqual(['GET_CHANNEL', 'GET_GUILDS']);
    expect(await columnsOf(page, 'GET_CHANNEL')).toMatchObject({ result: 'no answer' });
  });

  it('completes keys and values with the keyboard', async () => {
    const { page } = await withTraffic();
    await page.keyboard.press('/');
    await expect
      .poll(() => page.evaluate('document.activeElement.getAttribute("aria-label")'))
      .toBe('Filter');
    await page.keyboard.type('ap');
    await page.getByRole('option', { name: /^app:/ }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect.poll(() => filterOf(page).inputValue()).toBe('app:');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Tab');
    await expect.poll(() => filterOf(page).inputValue()).toBe('app:"Harbour Example" ');
    await page.keyboard.type('-cmd:get_g');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await expect.poll(() => filterOf(page).inputValue()).toBe('app:"Harbour Example" -cmd:GET_GUILDS ');
    await expect
      .poll(() => rowsOf(page).locator('.name').allTextContents())
      .toEqual(expect.arrayContaining(['HANDSHAKE', 'SET_ACTIVITY']));
    expect(await rowsOf(page).locator('.name').allTextContents()).not.toContain('GET_GUILDS');
    await page.keyboard.press('Escape');
    expect(await page.getByRole('listbox', { name: 'Completions' }).isVisible()).toBe(false);
  });

  it('pins rows with the keyboard and the mouse, and keeps them when the list is cleared', async () => {
    const { page, app } = await withTraffic();
    const pinned = page.getByRole('listbox', { name: 'Pinned' });
    await rowsOf(page).filter({ hasText: 'SET_ACTIVITY' }).click();
    await page.keyboard.press('p');
    await expect.poll(() => pinned.getByRole('option').count()).toBe(1);
    // Beside an opened row the list may be too narrow for the numbers, which pin with the mouse.
    await page.keyboard.press('Escape');
    const number = rowsOf(page).filter({ hasText: 'GET_GUILDS' }).locator('.number');
    const before = await number.textContent();
    await number.click();
    expect(await number.textContent()).toBe(before);
    await expect
      .poll(() => pinned.locator('.name').allTextContents())
      .toEqual(['SET_ACTIVITY', 'GET_GUILDS']);
    await page.getByRole('button', { name: 'Clear' }).click();
    await expect.poll(() => rowsOf(page).count()).toBe(0);
    expect(await pinned.getByRole('option').count()).toBe(2);
    app.send('GET_GUILDS', {});
    await app.answer('GET_GUILDS');
    await expect.poll(() => rowsOf(page).locator('.name').allTextContents()).toEqual(['GET_GUILDS']);
    expect(await pinned.locator('.name').allTextContents()).toEqual(['SET_ACTIVITY', 'GET_GUILDS']);
    await pinned.getByRole('option').filter({ hasText: 'SET_ACTIVITY' }).click();
    await page.getByRole('button', { name: 'Pin', pressed: true }).click();
    await expect.poll(() => pinned.locator('.name').allTextContents()).toEqual(['GET_GUILDS']);
  });

  it('opens rows with the keyboard alone, and lists its keys', async () => {
    const { page } = await withTraffic();
    const entry = page.getByRole('complementary');
    await listOf(page).focus();
    await page.keyboard.press('Home');
    const selected = rowsOf(page).and(page.locator('[aria-selected=true]'));
    await expect.poll(() => selected.locator('.name').textContent()).toBe('connect');
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => selected.locator('.name').textContent()).toBe('HANDSHAKE');
    await page.keyboard.press('j');
    await expect.poll(() => selected.locator('.name').textContent()).toBe('SET_ACTIVITY');
    await page.keyboard.press('k');
    await expect.poll(() => selected.locator('.name').textContent()).toBe('HANDSHAKE');
    expect(await listOf(page).getAttribute('aria-activedescendant')).toBe(await selected.getAttribute('id'));
    await page.keyboard.press('Escape');
    await expect.poll(() => entry.count()).toBe(0);
    await page.keyboard.press('?');
    for (const does of [
      'write a filter',
      'next row',
      'pin the opened row',
      'follow new rows',
      'clear all but pinned',
    ])
      await page.getByRole('dialog').getByText(does).waitFor();
  });

  it('shows when a request over HTTP began, before the events that it caused', async () => {
    const page = await syntheticTraffic(await opened({ consent: 'allow' }));
    const at = new Date(2026, 10, 30, 9, 1, 2, 500).getTime();
    const part = { headers: {}, bytes: 2 };
    const created = { op: 0, t: 'MESSAGE_CREATE', d: { content: 'ahoy' } };
    const entries = [
      { kind: 'connect', session: 's1', over: 'ipc', seq: 1, at },
      {
        kind: 'gateway',
        session: 'g1',
        direction: 'out',
        text: JSON.stringify(created),
        bytes: 2,
        seq: 2,
        at: at + 40,
      },
      {
        kind: 'http',
        method: 'POST',
        path: '/api/v10/channels/1/messages',
        status: 200,
        ms: 30,
        request: part,
        response: part,
        seq: 3,
        at: at + 50,
      },
      { kind: 'end', session: 's1', seq: 4, at: at + 60 },
    ];
    await page.evaluate(`window.emitEvent('journal', ${JSON.stringify({ entries, next: 4, dropped: 0 })})`);
    await rowsOf(page).nth(3).waitFor();
    const columns = (name: string) => rowsOf(page).locator(name).allTextContents();
    expect(await columns('.time')).toEqual(['500', '520', '540', '560'].map((ms) => `09:01:02.${ms}`));
    expect(await columns('.name')).toEqual(['connect', 'POST /channels/1/messages', 'MESSAGE_CREATE', 'end']);
    await rowsOf(page).nth(1).click();
    await page.getByRole('complementary').getByText('at 09:01:02.520').waitFor();
    // A later row is found behind those that changed places.
    const later = [{ kind: 'connect', session: 's2', over: 'ipc', seq: 5, at: at + 70 }];
    await page.evaluate(
      `window.emitEvent('journal', ${JSON.stringify({ entries: later, next: 5, dropped: 0 })})`,
    );
    await expect.poll(() => columns('.number')).toEqual(['1', '3', '2', '4', '5']);
  });

  it('follows new rows until somebody reads, then it does not move and counts them', async () => {
    const console = await opened({ consent: 'allow' });
    const page = await syntheticTraffic(console);
    await page.setViewportSize({ width: 1000, height: 1200 });
    const follow = page.getByRole('switch', { name: 'Follow' });
    await sendRows(page, 3000);
    await expect.poll(() => page.evaluate(BELOW)).toBeLessThan(2);
    await expect.poll(() => rowsOf(page).last().isVisible()).toBe(true);
    await listOf(page).hover();
    await page.mouse.wheel(0, -4000);
    await expect.poll(() => follow.getAttribute('aria-checked')).toBe('false');
    const seen = await page.evaluate(SEEN);
    await sendRows(page, 2000);
    await page.getByRole('button', { name: '2,000 new' }).waitFor();
    expect(await page.evaluate(SEEN)).toBe(seen);
    // Rows above go, because the page has no more than 100,000.
    await sendRows(page, 96_000);
    await expect.poll(() => page.locator('.count').textContent()).toContain('100,000 rows');
    await expect.poll(() => page.evaluate(SEEN)).toBe(seen);
    await page.getByRole('button', { name: / new$/ }).click();
    await expect.poll(() => follow.getAttribute('aria-checked')).toBe('true');
    await expect.poll(() => page.evaluate(BELOW)).toBeLessThan(2);
  });

  it('counts only rows that are out of sight as newer', async () => {
    const { page, app } = await withTraffic();
    await page.getByRole('switch', { name: 'Follow' }).click();
    app.send('GET_GUILDS', {});
    await app.answer('GET_GUILDS');
    await expect.poll(() => rowsOf(page).filter({ hasText: 'GET_GUILDS' }).count()).toBe(2);
    expect(await page.getByRole('button', { name: / new$/ }).count()).toBe(0);
  });

  it('has all of its controls in a window of 1280 by 800, and the opened row over the list in a narrow one', async () => {
    const { page } = await withTraffic();
    await page.setViewportSize({ width: 1280, height: 800 });
    // The whole toolbar is one row, and the field has room for its examples.
    const bar = page.getByRole('search');
    expect((await bar.boundingBox())?.height).toBeLessThan(40);
    const room = await page.evaluate(`(() => {
      const field = document.querySelector('[role=combobox]');
      field.value = field.placeholder;
      return field.clientWidth - field.scrollWidth;
    })()`);
    expect(room).toBe(0);
    await filterOf(page).fill('');
    await rowsOf(page).filter({ hasText: 'SET_ACTIVITY' }).click();
    const bottomOf = async (name: string): Promise<number> => {
      const { y, height } = (await page.getByText(name, { exact: true }).boundingBox()) ?? NO_BOX;
      return y + height;
    };
    for (const name of ['Download JSON lines', 'Download HAR', 'Open a recorded file'])
      expect(await bottomOf(name), name).toBeLessThanOrEqual(800);
    await page.getByRole('button', { name: 'Edit and resend' }).click();
    const send = page.getByRole('button', { name: 'Send', exact: true });
    const { y, height } = (await send.boundingBox()) ?? NO_BOX;
    const list = (await listOf(page).boundingBox()) ?? NO_BOX;
    expect(y + height).toBeLessThanOrEqual(list.y + list.height + 1);
    await page.setViewportSize({ width: 420, height: 800 });
    const sheet = (await page.getByRole('complementary').boundingBox()) ?? NO_BOX;
    expect([sheet.y, sheet.y + sheet.height, sheet.x, sheet.width]).toEqual([160, 800, 0, 420]);
    await page.getByRole('button', { name: 'Close' }).click();
    expect(await rowsOf(page).first().isVisible()).toBe(true);
  });

  it('draws few of 100,000 rows, and filters all of them', async () => {
    const console = await opened({ consent: 'allow' });
    const page = await syntheticTraffic(console);
    await sendRows(page, 110_000);
    await expect.poll(() => page.locator('.count').textContent()).toBe('100,000 rows');
    expect(await rowsOf(page).count()).toBeLessThan(120);
    await expect.poll(() => rowsOf(page).last().locator('.name').textContent()).toBe('SET_ACTIVITY');
    await filterOf(page).fill('status:error');
    await expect.poll(() => page.locator('.count').textContent()).toBe('8,000 of 100,000 rows');
    await filterOf(page).fill('-kind:rpc');
    await expect.poll(() => page.locator('.count').textContent()).toBe('2,000 of 100,000 rows');
    await filterOf(page).fill('"no boat" cmd:SET');
    await expect.poll(() => page.locator('.count').textContent()).toBe('8,000 of 100,000 rows');
  });

  it('selects the time of a bar of the strip with a click and with the keyboard', async () => {
    const { page } = await withTraffic();
    const strip = page.getByRole('slider', { name: 'Time' });
    await strip.focus();
    await page.keyboard.press('Home');
    expect(await strip.getAttribute('aria-valuetext')).toMatch(/^[\d:]{8} to [\d:]{8}: 0 rows, 0 errors$/);
    await page.keyboard.press('Enter');
    await expect.poll(() => filterOf(page).inputValue()).toMatch(/^time:[\d:]{8}\.\.[\d:]{8}$/);
    await expect.poll(() => rowsOf(page).count()).toBe(0);
    await page.keyboard.press('Enter');
    await expect.poll(() => filterOf(page).inputValue()).toBe('');
    const failed = page.locator('.strip .bucket', { has: page.locator('.failed') }).first();
    const time = /^([\d:]{8}) to ([\d:]{8}):/.exec((await failed.locator('title').textContent()) ?? '');
    await failed.locator('.failed').click();
    await expect.poll(() => filterOf(page).inputValue()).toBe(`time:${time?.[1]}..${time?.[2]}`);
    await expect
      .poll(() =>
        rowsOf(page)
          .filter({ hasText: /4006|401/ })
          .count(),
      )
      .toBeGreaterThan(0);
    expect(await page.locator('.strip .selected').count()).toBe(1);
  });

  it('takes the session of an address that an earlier version made', async () => {
    const { page, origin } = await withTraffic();
    await page.goto(`${origin}/#/frames/abc`);
    await expect.poll(() => filterOf(page).inputValue()).toBe('session:abc');
    await expect.poll(() => page.evaluate('location.hash')).toBe('#/traffic?filter=session%3Aabc');
  });
});
