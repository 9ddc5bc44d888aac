import { describe, expect, it, onTestFinished } from 'vitest';
import { chromiumMissing } from '../../helpers/chromium.ts';
import { connectClient } from './app.ts';
import { axeViolations } from './axe.ts';
import { type Opened, opened } from './opened.ts';

const missing = chromiumMissing();
// Not imported from the page, whose types of the browser would then count in all tests.
const VIEWS = [
  'overview',
  'traffic',
  'requests',
  'presence',
  'world',
  'faults',
  'operations',
  'doctor',
] as const;

/** A console with something to show in every view. */
async function busy(): Promise<Opened> {
  const console = await opened();
  const { emulator } = console;
  const app = await connectClient(emulator);
  onTestFinished(() => app.end());
  app.send('SET_ACTIVITY', { pid: process.pid, activity: { state: 'here' } });
  await app.answer('SET_ACTIVITY');
  app.send('AUTHORIZE', { client_id: '300000000000000001', scopes: ['identify'] });
  await fetch(`${emulator.api}/v10/users/@me`);
  await emulator.operations.call('fault.add', { fault: 'delay=1', command: 'GET_GUILD' });
  await emulator.operations.call('lobby.join', { app: '300000000000000001', secret: 'berth', user: 'river' });
  return console;
}

describe.skipIf(missing !== undefined)(`the console page${missing ?? ''}`, () => {
  it.each([
    ['light', 'auto'],
    ['dark', 'auto'],
    ['light', 'contrast'],
    ['dark', 'contrast'],
  ] as const)('has no axe violation in the %s scheme with the theme %s', async (colorScheme, theme) => {
    const { page, view } = await busy();
    await page.emulateMedia({ colorScheme });
    await page.getByLabel('Theme').selectOption(theme);
    for (const name of VIEWS) {
      await view(name);
      if (name === 'traffic') await page.getByRole('listbox').getByRole('option').first().click();
      await page.waitForTimeout(700);
      expect(await axeViolations(page), name).toEqual([]);
    }
  });
  it.each([
    ['a phone', 320, 1],
    ['a large phone', 420, 1],
    ['a screen at 200 %', 640, 2],
  ])('fits %s without horizontal scrolling', async (_, width) => {
    const { page, view } = await busy();
    await page.setViewportSize({ width, height: 640 });
    for (const name of VIEWS) {
      await view(name);
      await page.waitForTimeout(300);
      const wide = await page.evaluate('document.documentElement.scrollWidth');
      expect(wide, name).toBeLessThanOrEqual(width);
    }
    // The header is one line, with the state of the bridge.
    const header = await page.getByRole('banner').boundingBox();
    expect(header?.height).toBeLessThan(60);
    expect(await page.getByText('Bridge up').isVisible()).toBe(true);
    // The way to every view is in sight.
    for (const link of await page.getByRole('navigation').getByRole('link').all()) {
      const { x, width: own } = (await link.boundingBox()) ?? { x: -1, width: 0 };
      expect(x, (await link.textContent()) ?? '').toBeGreaterThanOrEqual(0);
      expect(x + own).toBeLessThanOrEqual(width);
    }
  });
  it('stores the chosen theme', async () => {
    const { page } = await busy();
    await page.getByLabel('Theme').selectOption('dark');
    await page.reload();
    await page.getByLabel('Theme').waitFor();
    expect(await page.getByLabel('Theme').inputValue()).toBe('dark');
    await expect
      .poll(() => page.evaluate('getComputedStyle(document.body).backgroundColor'))
      .toBe('rgb(18, 21, 25)');
  });
  it('can be used with the keyboard alone: a view, the traffic, an answer', async () => {
    const { page, emulator } = await busy();
    const press = async (key: string, times = 1): Promise<void> => {
      for (let time = 0; time < times; time += 1) await page.keyboard.press(key);
    };
    await press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the content');
    // Go to, keys, theme, Overview, Traffic.
    await press('Tab', 5);
    await press('Enter');
    await page.getByRole('heading', { name: 'Traffic', level: 1 }).waitFor();
    await page.getByRole('listbox', { name: 'Traffic' }).focus();
    await press('End');
    const one = page.getByRole('complementary', { name: 'Opened row' });
    await one.waitFor();
    const last = await one.textContent();
    await press('ArrowUp');
    await expect.poll(() => one.textContent()).not.toBe(last);
    await page.getByRole('link', { name: /Requests/ }).focus();
    await press('Enter');
    const deny = page.getByRole('button', { name: 'Deny: Harbour Example' });
    await expect.poll(() => deny.isEnabled()).toBe(true);
    await deny.focus();
    await press('Space');
    await expect.poll(() => emulator.operations.call('requests.list')).toEqual([]);
  });
  it('renders names, messages and frames of an app as text and runs nothing', async () => {
    const script = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>';
    const { emulator, page, view, complaints } = await opened();
    await emulator.operations.call('emulator.apply', {
      patch: {
        applications: [{ id: '300000000000000009', name: script }],
        guilds: [{ id: '400000000000000001', name: script.slice(0, 90) }],
      },
    });
    await emulator.operations.call('channel.say', {
      channel: '500000000000000002',
      text: script,
      author: 'heron',
    });
    const app = await connectClient(emulator, '300000000000000009');
    onTestFinished(() => app.end());
    app.send(script, { state: script });
    app.send('SET_ACTIVITY', { pid: process.pid, activity: { state: script } });
    app.send('AUTHORIZE', { client_id: '300000000000000009', scopes: ['identify'] });
    for (const name of VIEWS) {
      await view(name);
      await page.waitForTimeout(500);
      if (name === 'requests') expect(await page.getByRole('article').textContent()).toContain('<img src=x');
      if (name === 'traffic') {
        await page
          .getByRole('listbox')
          .getByRole('option', { name: /onerror/ })
          .first()
          .click();
        await page.waitForTimeout(200);
      }
      expect(await page.evaluate('window.hacked'), name).toBeUndefined();
      expect(await page.locator('img, #app script').count(), name).toBe(0);
    }
    expect(complaints).toEqual([]);
  });
  it('cannot be framed or called by another page, nor opened twice with one address', async () => {
    const { page, origin, address } = await opened();
    const once = address();
    const context = page.context();
    const other = await context.newPage();
    await other.route('http://evil.example/**', (route) =>
      route.fulfill({ contentType: 'text/html', body: `<iframe src="${origin}/"></iframe>` }),
    );
    await other.goto('http://evil.example/');
    await other.waitForTimeout(500);
    expect(await other.frames()[1]?.content()).not.toContain('id="app"');
    const driven = await other.evaluate(
      `fetch('${origin}/call/emulator.reset', {method: 'POST', credentials: 'include', headers: {'footbridge-console': '1'}}).then((r) => r.status, () => 'refused')`,
    );
    expect(driven).toBe('refused');
    const form = await other.evaluate(
      `fetch('${origin}/call/emulator.reset', {method: 'POST', mode: 'no-cors', credentials: 'include', body: '{}'}).then((r) => r.type, () => 'refused')`,
    );
    expect(['opaque', 'refused']).toContain(form);
    await page.goto(once);
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.goto(once);
    expect(await page.content()).not.toContain('id="app"');
  });
});
