import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  byKey,
  byRank,
  type Entry,
  OrderedRows,
} from '../../../../src/emulator/kernel/state/ordered-rows.ts';

const ranks = fc.uniqueArray(fc.nat({ max: 20_000 }), { maxLength: 3000, size: 'max' });

it('OrderedRows preserves its order through additions and deletions, over many chunks', () => {
  fc.assert(
    fc.property(ranks, ranks, fc.nat({ max: 50 }), (added, deleted, count) => {
      const rows = new OrderedRows<number>(byRank);
      const entries = new Map<number, Entry<number>>();
      for (const rank of added) {
        const entry = { key: '', row: rank, rank };
        entries.set(rank, entry);
        rows.add(entry);
      }
      for (const rank of deleted) {
        const entry = entries.get(rank);
        if (entry !== undefined) rows.delete(entry);
        entries.delete(rank);
      }
      const expected = [...entries.keys()].sort((a, b) => a - b);
      expect([...rows]).toEqual(expected);
      expect(rows.size).toBe(expected.length);
      expect(rows.last(count)).toEqual(count === 0 ? [] : expected.slice(-count));
    }),
    { numRuns: 30 },
  );
});

it('OrderedRows sorts keys as numbers', () => {
  const rows = new OrderedRows<string>(byKey);
  for (const key of ['100', '9', '20', '1000000000000000000', '3']) rows.add({ key, row: key, rank: 0 });
  expect([...rows]).toEqual(['3', '9', '20', '100', '1000000000000000000']);
});

it('OrderedRows refuses to delete a row that is not at its position', () => {
  const rows = new OrderedRows<string>(byRank);
  rows.add({ key: '1', row: 'a', rank: 1 });
  expect(() => rows.delete({ key: '1', row: 'a', rank: 1 })).toThrow(/not where/);
});

it('OrderedRows finds the rows before and after a key, whether the key exists or not', () => {
  fc.assert(
    fc.property(ranks, fc.nat({ max: 20_000 }), fc.nat({ max: 1500 }), (added, at, count) => {
      const rows = new OrderedRows<number>(byKey);
      for (const rank of added) rows.add({ key: String(rank), row: rank, rank });
      const sorted = [...added].sort((a, b) => a - b);
      const smaller = sorted.filter((rank) => rank < at);
      expect(rows.before(String(at), count)).toEqual(count === 0 ? [] : smaller.slice(-count));
      expect(rows.after(String(at), count)).toEqual(sorted.filter((rank) => rank > at).slice(0, count));
    }),
    { numRuns: 40 },
  );
});

/** Rows with the keys 2, 4, 6 and so on, in three chunks or more. */
function evenKeys(): OrderedRows<number> {
  const rows = new OrderedRows<number>(byKey);
  for (let key = 2; key <= 4000; key += 2) rows.add({ key: String(key), row: key, rank: 0 });
  return rows;
}
const even = Array.from({ length: 2000 }, (_, n) => 2 * n + 2);

it.each([0, 1, 2, 3, 1023, 1024, 1025, 1026, 2048, 3998, 3999, 4000, 4001])(
  'finds the rows beside the key %i, in whatever chunk they are',
  (key) => {
    const rows = evenKeys();
    const smaller = even.filter((row) => row < key);
    const greater = even.filter((row) => row > key);
    expect([...rows.behind(String(key))]).toEqual(greater);
    for (const count of [0, 1, 600, 4000]) {
      expect(rows.before(String(key), count)).toEqual(
        smaller.slice(smaller.length - Math.min(count, smaller.length)),
      );
      expect(rows.after(String(key), count)).toEqual(greater.slice(0, count));
    }
    expect(rows.entry(String(key))?.row).toBe(even.includes(key) ? key : undefined);
  },
);

it.each([1, 7, 512, 1999, 2000, 5000])('visits every row of every chunk in order, %i at once', (count) => {
  const rows = evenKeys();
  const visited: number[] = [];
  let key: string | undefined = '';
  while (key !== undefined) {
    const before = visited.length;
    key = rows.visit(key, count, (row) => void visited.push(row));
    if (key !== undefined) {
      expect(visited.length - before).toBe(count);
      expect(key).toBe(String(visited.at(-1)));
    }
  }
  expect(visited).toEqual(even);
});

it('goes on behind a row that was removed meanwhile, and visits rows that were added there', () => {
  const rows = evenKeys();
  const visited: number[] = [];
  const key = rows.visit('', 600, (row) => void visited.push(row)) ?? '';
  const last = rows.entry(key);
  if (last !== undefined) rows.delete(last);
  const next = Number(key) + 1;
  rows.add({ key: String(next), row: next, rank: 0 });
  rows.visit(key, 2, (row) => void visited.push(row));
  expect(visited.slice(-3)).toEqual([next - 1, next, next + 1]);
});

it('inserts into a full chunk at its start, in its middle and at its end', () => {
  const rows = evenKeys();
  const more = [1, 513, 1023, 1025, 1535, 3999];
  for (const key of more) rows.add({ key: String(key), row: key, rank: 0 });
  expect([...rows]).toEqual([...even, ...more].sort((a, b) => a - b));
  expect(rows.size).toBe(2006);
});

it('deletes the first, the last and all other rows', () => {
  const rows = new OrderedRows<number>(byRank);
  const entries = even.map((rank) => ({ key: '', row: rank, rank }));
  for (const entry of entries) rows.add(entry);
  const [first, last] = [entries.shift(), entries.pop()] as [Entry<number>, Entry<number>];
  rows.delete(first);
  rows.delete(last);
  expect([...rows]).toEqual(even.slice(1, -1));
  for (const entry of entries) rows.delete(entry);
  expect([[...rows], rows.size, rows.last(3)]).toEqual([[], 0, []]);
  rows.add(last);
  rows.add(first);
  expect([...rows]).toEqual([first.row, last.row]);
});

it.each([
  ['behind the last', 9],
  ['before the first', 0],
])('notices a row %s that is not in it', (_, rank) => {
  const rows = new OrderedRows<string>(byRank);
  rows.add({ key: '1', row: 'a', rank: 1 });
  expect(() => rows.delete({ key: '2', row: 'b', rank })).toThrow('the row is not where it should be');
  expect([...rows]).toEqual(['a']);
});
