import { expect, it, onTestFinished } from 'vitest';
import { chromiumMissing } from '../../helpers/chromium.ts';
import { connectClient } from './app.ts';
import { opened } from './opened.ts';

const missing = chromiumMissing();
const APP = '300000000000000001';

/** Script of a page: notes on the document in which state the buttons of a request appear. */
const NOTE_FIRST_BUTTONS = `
  const observer = new MutationObserver(() => {
    const buttons = [...document.querySelectorAll('article.request button')];
    if (buttons.length === 0) return;
    observer.disconnect();
    const states = buttons.map(({ textContent, disabled }) => textContent + ': ' + (disabled ? 'waits' : 'ready'));
    document.documentElement.dataset.appeared = states.join(', ');
  });
  observer.observe(document.body, { childList: true, subtree: true });
`;

it.skipIf(missing !== undefined)(
  `the console page lists connected apps, and traffic as it arrives${missing ?? ''}`,
  async () => {
    const { emulator, page, view, complaints } = await opened();
    const app = await connectClient(emulator);
    onTestFinished(() => app.end());
    const card = page.getByRole('article', { name: 'App Harbour Example' });
    await expect.poll(() => card.textContent()).toContain(`(${process.pid})`);
    expect(await card.textContent()).toContain(APP);
    await view('traffic');
    const list = page.getByRole('listbox', { name: 'Traffic' });
    app.send('SET_ACTIVITY', { pid: process.pid, activity: { state: 'rowing home' } });
    await page
      .getByRole('option', { name: /SET_ACTIVITY/ })
      .first()
      .waitFor();
    const filter = page.getByRole('combobox', { name: 'Filter', exact: true });
    await filter.fill('rowing');
    // The request and its answer are one row.
    await expect.poll(() => list.getByRole('option').count()).toBe(1);
    await list.getByRole('option').first().click();
    const opens = page.getByRole('complementary', { name: 'Opened row' });
    await expect.poll(() => opens.textContent()).toContain('"rowing home"');
    await filter.fill('rowing kind:http');
    await expect.poll(() => list.count()).toBe(0);
    await filter.fill('kind:http');
    await fetch(`${emulator.api}/v10/users/@me`);
    await list.getByRole('option', { name: /GET \/users\/@me.*401/ }).waitFor();
    expect(complaints).toEqual([]);
  },
);

it.skipIf(missing !== undefined)(
  'the console page enables Deny at once, and the Allow buttons after a delay',
  async () => {
    const { emulator, page, view } = await opened();
    const app = await connectClient(emulator);
    onTestFinished(() => app.end());
    await view('requests');
    // The state in which the buttons appear, however slow this test is.
    await page.evaluate(NOTE_FIRST_BUTTONS);
    app.send('AUTHORIZE', { client_id: APP, scopes: ['identify'] });
    await page.getByRole('article', { name: 'Request of Harbour Example' }).waitFor();
    expect(await page.evaluate('document.documentElement.dataset.appeared')).toBe(
      'Allow once: waits, Always allow: waits, Deny: ready',
    );
    await page.getByRole('button', { name: 'Allow once: Harbour Example' }).click();
    expect(await app.answer('AUTHORIZE')).toMatchObject({ evt: null });
  },
);

it.skipIf(missing !== undefined)('the console page continues after a restart of the bridge', async () => {
  const { emulator, page, view } = await opened();
  await view('traffic');
  await emulator.restart();
  const app = await connectClient(emulator);
  onTestFinished(() => app.end());
  await page
    .getByRole('listbox')
    .getByRole('option', { name: /HANDSHAKE/ })
    .first()
    .waitFor();
  await page.getByText('Bridge up, core emulator').waitFor();
});
