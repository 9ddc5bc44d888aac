import { describe, expect, it } from 'vitest';
import { chromiumMissing } from '../../helpers/chromium.ts';
import { opened } from './opened.ts';

const missing = chromiumMissing();
const GENERAL = '500000000000000002';

describe.skipIf(missing !== undefined)(
  `many pages of one browser:${missing ?? ''}`,
  { timeout: 120_000 },
  () => {
    // A browser has six connections for all of them together.
    it('each shows what comes, and can act', async () => {
      const { emulator, page: first, origin, complaints } = await opened();
      const pages = [first];
      while (pages.length < 8) pages.push(await first.context().newPage());
      for (const page of pages) {
        await page.goto(`${origin}/#/channels/${GENERAL}`);
        await page.getByRole('heading', { name: 'Channels', level: 1 }).waitFor();
      }
      await emulator.operations.call('channel.say', { channel: 'general', text: 'Seen by all' });
      for (const page of pages) await page.getByText('Seen by all').first().waitFor();
      for (const page of pages) {
        await page.goto(`${origin}/#/traffic`);
        await page.getByRole('heading', { name: 'Traffic', level: 1 }).waitFor();
      }
      await emulator.operations.call('fault.list', {});
      const statuses = await Promise.all(
        pages.map((page) => page.evaluate(async () => (await fetch('/status')).status)),
      );
      expect(statuses).toEqual(pages.map(() => 200));
      expect(complaints).toEqual([]);
    });
  },
);
