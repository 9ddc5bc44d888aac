import { describe, expect, it } from 'vitest';
import { chromiumMissing } from '../../helpers/chromium.ts';
import { opened } from './opened.ts';

const missing = chromiumMissing();

describe.skipIf(missing !== undefined)(`the console page${missing ?? ''}`, () => {
  it('says why its first report of the doctor failed, and shows the next one', async () => {
    const { page, view } = await opened();
    await page.route(/doctor$/, (route) =>
      route.request().resourceType() === 'fetch' ? route.abort() : route.continue(),
    );
    await view('doctor');
    await page.getByRole('alert').first().waitFor();
    expect(await page.getByText('Looking…').count()).toBe(0);
    await page.unroute(/doctor$/);
    await page.getByRole('button', { name: 'Look again' }).click();
    await page.getByText('none runs').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it('says in its header, in every view, what the bridge could not store', async () => {
    const reason = '/data/emulator.json cannot be written: the disk is full (ENOSPC)';
    const { page, view } = await opened({ consent: 'ask' }, (status) => ({ ...status, unstored: [reason] }));
    for (const name of ['overview', 'requests']) {
      await view(name);
      const line = page.getByRole('banner').getByRole('alert');
      await line.waitFor();
      expect(await line.textContent()).toBe(`Not stored, ends with the bridge: ${reason}`);
    }
  });
});
