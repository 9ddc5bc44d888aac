import { describe, expect, it } from 'vitest';
import { chromiumMissing } from '../../../helpers/chromium.ts';
import { drawnPage } from './drawn-page.ts';

const missing = chromiumMissing();
const OPTIONS = [
  { label: 'North', value: 'n' },
  { label: 'South', value: 's', description: 'shallow' },
];
const field = (label: string, component: object) => ({ type: 18, label, component });
const FIELDS = [
  { type: 10, content: 'Please **fill in**.' },
  { type: 1, components: [{ type: 4, custom_id: 'old', label: 'Old', style: 1, required: true }] },
  field('Text', { type: 4, custom_id: 'text', style: 2, value: 'before', max_length: 20 }),
  field('Berth', { type: 3, custom_id: 'berth', options: OPTIONS }),
  field('Crew', { type: 5, custom_id: 'crew', max_values: 2 }),
  field('Role', { type: 6, custom_id: 'role' }),
  field('Anyone', { type: 7, custom_id: 'any' }),
  field('Channel', { type: 8, custom_id: 'channel' }),
  field('Papers', { type: 19, custom_id: 'papers', file_types: ['image', '.pdf'] }),
  field('Side', { type: 21, custom_id: 'side', options: OPTIONS }),
  field('Sides', { type: 22, custom_id: 'sides', options: OPTIONS, max_values: 2 }),
  field('Sure', { type: 23, custom_id: 'sure' }),
];

describe.skipIf(missing !== undefined)(`the fields of a modal${missing ?? ''}`, () => {
  it('report each change with the custom id of their field', async () => {
    const { page, modal, called, complaints } = await drawnPage();
    await modal(FIELDS);
    await page.getByText('fill in').waitFor();
    await page.getByLabel('Old').fill('a');
    await page.getByLabel('Text').fill('after');
    await page.getByRole('button', { name: 'Berth' }).click();
    await page.getByRole('option', { name: 'South' }).click();
    await page
      .getByLabel('Papers')
      .setInputFiles({ name: 'a.pdf', mimeType: 'application/pdf', buffer: Buffer.from('x') });
    await page.getByRole('group', { name: 'Side', exact: true }).getByLabel('North').check();
    await page.getByRole('group', { name: 'Sides' }).getByLabel('North').check();
    await page.getByRole('group', { name: 'Sides' }).getByLabel('South').check();
    await page.getByLabel('Sure').check();
    expect(await called()).toEqual([
      ['change', 'old', 'a'],
      ['change', 'text', 'after'],
      ['change', 'berth', ['s']],
      ['change', 'papers', ['a.pdf']],
      ['change', 'side', 'n'],
      ['change', 'sides', ['n']],
      ['change', 'sides', ['n', 's']],
      ['change', 'sure', true],
    ]);
    for (const [name, kind] of [
      ['Crew', 'user'],
      ['Role', 'role'],
      ['Anyone', 'mentionable'],
      ['Channel', 'channel'],
    ] as const) {
      await page.getByRole('button', { name }).click();
      await page.getByRole('listbox', { name }).getByRole('option', { name: 'Ada' }).click();
      expect(await called()).toEqual([
        ['suggest', kind, ''],
        ['change', name.toLowerCase().replace('anyone', 'any'), ['1']],
      ]);
    }
    await expect(page.getByText(/Field of type/).count()).resolves.toBe(0);
    expect(complaints).toEqual([]);
  });
});
