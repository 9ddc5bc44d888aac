import { describe, expect, it } from 'vitest';
import { chromiumMissing } from '../../helpers/chromium.ts';
import { connectClient } from './app.ts';
import { opened } from './opened.ts';

const missing = chromiumMissing();
describe.skipIf(missing !== undefined)(`the console page${missing ?? ''}`, () => {
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
