import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { pageText } from '../helpers/page-sessions.ts';

it('README has its picture of the console in light and dark, in the same size and with a palette', () => {
  const names = [...pageText('README.md').matchAll(/(?:src|srcset)="([^"]+\.png)"/g)].map(
    ([, name = '']) => name,
  );
  expect(names).toEqual(['.github/console-traffic-dark.png', '.github/console-traffic.png']);
  const [dark, light] = names.map((name) => readFileSync(new URL(`../../${name}`, import.meta.url)));
  expect(dark?.subarray(16, 24)).toEqual(light?.subarray(16, 24));
  for (const png of [dark, light]) {
    expect(png?.[25]).toBe(3);
    expect(png?.length).toBeLessThan(30_000);
  }
});
