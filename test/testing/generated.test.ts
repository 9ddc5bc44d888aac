import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../../.ci/bundle.ts';
import { GENERATED, upToDate } from '../../.ci/generate.ts';

// Biome formats the schemas, whose own tests compare their values.
const written = GENERATED.filter(({ file }) => !file.endsWith('/schema.json')).map(
  (one) => [one.file, one.mark ?? 'all of it', one] as const,
);

it.each(written)('%s is as npm run gen writes it: %s', (_file, _part, one) => {
  const content = readFileSync(join(root, one.file), 'utf8');
  expect(upToDate(one, content)).toBe(content);
});

it('a page without the marks is refused instead of being overwritten', () => {
  const [begin, end] = ['<!-- table: begin -->\n', '<!-- table: end -->'];
  const table = { file: 'PAGE.md', mark: 'table', text: () => 'new\n' };
  for (const page of ['# nothing', begin, end, `${end}${begin}`])
    expect(() => upToDate(table, page)).toThrow(`PAGE.md has no ${begin.trim()} … ${end}`);
  expect(upToDate(table, `head\n${begin}old\n${end}tail`)).toBe(`head\n${begin}new\n${end}tail`);
});
