import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { limitKeys, snakeCase } from '../../src/daemon/config/keys.ts';
import { defaultLimits } from '../../src/session/limits.ts';

const guide = readFileSync(new URL('../../.github/guide/configuration.md', import.meta.url), 'utf8');

it('every limit is a configuration key whose bounds allow its default', () => {
  for (const [name, value] of Object.entries(defaultLimits)) {
    expect(Object.hasOwn(limitKeys, name), name).toBe(true);
    const key = limitKeys[name as keyof typeof defaultLimits];
    expect(key.schema().safeParse(value).success, name).toBe(true);
  }
});

it('every limit is in the table of the guide once, with the effect of exceeding it', () => {
  const [, table = ''] = guide.split('<!-- limits: begin -->');
  const listed = [...table.matchAll(/^\| `(\w+)` \| [\d.,]+ \| [^|]+ \| (\S[^|]{15,}\.) \|$/gm)].map(
    ([, name]) => name,
  );
  expect(listed).toEqual(Object.keys(limitKeys).map(snakeCase));
  expect(listed).toHaveLength(Object.keys(defaultLimits).length);
});
