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
