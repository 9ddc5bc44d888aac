import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { limitKeys, snakeCase } from '../../src/daemon/config/keys.ts';
import { defaultLimits } from '../../src/session/limits.ts';

const readme = readFileSync(new URL('../../src/session/README.md', import.meta.url), 'utf8');

it('every limit can be configured, within bounds that allow its default', () => {
  for (const [name, value] of Object.entries(defaultLimits)) {
    expect(Object.hasOwn(limitKeys, name), name).toBe(true);
    const key = limitKeys[name as keyof typeof defaultLimits];
    expect(key.schema().safeParse(value).success, name).toBe(true);
  }
});

it('every limit is in the table of the README once, with what happens past it', () => {
  const rows = readme.split('\n').filter((line) => line.startsWith('| `'));
  const listed = rows.flatMap((row) =>
    [...(row.split('|')[1] ?? '').matchAll(/`(\w+)`/g)].map(([, name]) => name),
  );
  expect(new Set(listed)).toEqual(new Set(Object.keys(defaultLimits).map(snakeCase)));
  expect(listed).toHaveLength(Object.keys(defaultLimits).length);
  for (const row of rows) expect(row.split('|')[3]?.trim(), row).toMatch(/^\S.{5,}/);
});
