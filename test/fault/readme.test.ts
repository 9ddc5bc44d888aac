import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const root = new URL('../../', import.meta.url);
const lines = readFileSync(new URL('./README.md', import.meta.url), 'utf8').split('\n');
const rows = lines.flatMap((line) => {
  const [, row, what, where] = /^\| ([TR]\d\d) \| (.+) \| (.+) \|$/.exec(line) ?? [];
  return row === undefined ? [] : [{ row, what, where: where ?? '' }];
});
const numbers = (letter: string, most: number): string[] =>
  Array.from({ length: most }, (_, i) => `${letter}${String(i + 1).padStart(2, '0')}`);

describe('the list of faults and attacks', () => {
  it('has each of the 96 rows exactly once', () => {
    expect(rows.map(({ row }) => row)).toEqual([...numbers('T', 72), ...numbers('R', 24)]);
  });
  it.each(rows)(
    '$row names existing tests that have its number, or a reason for having none',
    ({ row, where }) => {
      const files = [...where.matchAll(/`(test\/[^`]+)`/g)].map(([, path = '']) => path);
      if (files.length === 0)
        expect(where).toMatch(/^(?:belongs to the|later: |not ours: |not on this system: )/);
      for (const path of files) {
        const file = new URL(path, root);
        expect(existsSync(file), path).toBe(true);
        expect(readFileSync(file, 'utf8'), path).toMatch(new RegExp(`\\b${row}\\b`));
      }
    },
  );
});
