import { describe, expect, it } from 'vitest';
import { chromiumMissing } from '../../helpers/chromium.ts';
import { connectClient } from './app.ts';
import { opened } from './opened.ts';

const missing = chromiumMissing();
/** How much of the list is below what is seen (px). */
const BELOW = `(() => {
  const box = document.querySelector('[role=listbox]');
  return box.scrollHeight - box.scrollTop - box.clientHeight;
})()`;

describe.skipIf(missing !== undefined)(`the console page${missing ?? ''}`, () => {
  it('renders the newest frames after the list was empty', async () => {
    const { emulator, page, view } = await opened({ consent: 'allow' });
    await page.setViewportSize({ width: 1000, height: 1600 });
    const app = await connectClient(emulator);
    await view('frames');
    await page.getByLabel('Search').fill('nothing has this');
    await page.getByText('No traffic matches yet').waitFor();
    await page.getByLabel('Search').fill('');
    await page.getByRole('listbox').waitFor();
    for (let i = 0; i < 80; i++) {
      app.send('SET_ACTIVITY', { pid: process.pid, activity: { state: `number ${i}` } });
      await app.answer('SET_ACTIVITY');
    }
    const height = (await page.getByRole('listbox').boundingBox())?.height ?? 0;
    // Taller than what is drawn before the box is measured.
    expect(height).toBeGreaterThan(900);
    await expect.poll(() => page.evaluate(BELOW)).toBeLessThan(2);
    await expect.poll(() => page.getByRole('option').last().isVisible()).toBe(true);
    await expect
      .poll(async () => (await page.getByRole('option').last().textContent()) ?? '')
      .toContain('SET_ACTIVITY');
    app.end();
  });

  it('offers the session of a connected app after many others were closed', async () => {
    const { emulator, page, view } = await opened({ consent: 'allow' });
    const lasting = await connectClient(emulator);
    for (let i = 0; i < 55; i++) (await connectClient(emulator)).end();
    await view('overview');
    const link = page.getByRole('region', { name: 'Connected apps' }).getByRole('link');
    await expect.poll(() => link.count()).toBe(1);
    const id = (await link.getAttribute('href'))?.split('/').at(-1) ?? '';
    await view('frames');
    await expect.poll(() => page.getByLabel('Session').locator(`option[value="${id}"]`).count()).toBe(1);
    lasting.end();
  });

  it('lists no app as connected once the bridge is down', async () => {
    const { emulator, page, view } = await opened({ consent: 'allow' });
    await connectClient(emulator);
    await view('overview');
    await page.getByRole('region', { name: 'Connected apps' }).getByRole('link').waitFor();
    await emulator.close();
    await page.getByText('No bridge answers.').waitFor();
    expect(await page.getByRole('region', { name: 'Connected apps' }).count()).toBe(0);
  });
});
