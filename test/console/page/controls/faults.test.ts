import { describe, expect, it } from 'vitest';
import { chromiumMissing } from '../../../helpers/chromium.ts';
import { FRAME, press, useAll } from '../controls.ts';
import { opened } from '../opened.ts';

const missing = chromiumMissing();

describe.skipIf(missing !== undefined)(
  `each control of the console page works:${missing ?? ''}`,
  { timeout: 180_000 },
  () => {
    it('of faults', async () => {
      const console = await opened();
      const { emulator, page, view } = console;
      const add = page.getByRole('form', { name: 'Add a fault' });
      const faults = () => emulator.operations.call('fault.list');
      await view('faults');
      const left = await useAll(page, [
        ...FRAME,
        [/^button Copy: a command that adds a fault$/, () => page.getByText('There is no fault.').waitFor()],
        [/^choice Where of /, () => add.getByLabel('Where').selectOption({ label: 'HTTP' })],
        [/^field Command or route of /, () => add.getByLabel('Command or route').fill('GET /users/@me')],
        [/^field Times of /, () => add.getByLabel('Times').fill('3')],
        [/^field Chance of /, () => add.getByLabel('Chance').fill('0.5')],
        [
          /^(field Kind|button Add) of /,
          async () => {
            await add.getByLabel('Kind').fill('status=503');
            await add.getByRole('button', { name: 'Add' }).click();
            await expect.poll(faults).toMatchObject([{ fault: 'status=503', left: 3, probability: 0.5 }]);
            expect((await faults())[0]?.where).toContain('/users/@me');
            const row = page.getByRole('list', { name: 'List of faults' }).getByRole('listitem');
            expect(await row.textContent()).toMatch(/status=503, chance 0\.5.*struck 0 times, 3 left/s);
            await add.getByLabel('Kind').fill('dorp');
            await add.getByRole('button', { name: 'Add' }).click();
            await expect.poll(() => add.getByRole('alert').textContent()).toContain('Did you mean "drop"?');
          },
        ],
        [
          /^button Remove the fault /,
          async () => {
            await press(console, 'Remove the fault f1');
            await page.getByText('There is no fault.').waitFor();
            expect(await faults()).toEqual([]);
          },
        ],
      ]);
      expect(left).toEqual([]);
    });
  },
);
