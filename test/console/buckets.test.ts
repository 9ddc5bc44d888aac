import { expect, it } from 'vitest';
import { BUCKETS, bucketsOf } from '../../src/console/page/views/traffic/buckets.ts';
import type { Exchange } from '../../src/journal/exchange.ts';

const NOW = 1_700_000_000_500;

const row = (secondsAgo: number, state: Exchange['state'], ms?: number): Exchange =>
  ({ at: NOW - secondsAgo * 1000, state, ms }) as Exchange;

it('bucketsOf counts rows and errors, and has a percentile of the durations', () => {
  const rows = [
    row(5, 'ok', 10),
    row(5, 'failed', 80),
    row(5, 'unanswered'),
    row(5, 'open'),
    row(1, 'none'),
    // A person took so long to decide.
    { ...row(5, 'ok', 60_000), kind: 'rpc', name: 'AUTHORIZE' } as const,
    ...Array.from({ length: 99 }, () => row(0, 'ok', 4)),
    row(0, 'ok', 5000),
  ];
  const buckets = bucketsOf(rows, NOW);
  expect(buckets).toHaveLength(BUCKETS);
  const used = buckets.filter(({ count }) => count > 0);
  expect(used.map(({ count, errors }) => [count, errors])).toEqual([
    [5, 2],
    [1, 0],
    [100, 0],
  ]);
  const [slow, none, quick] = used.map(({ p95 }) => p95);
  expect(none).toBe(undefined);
  // To a fifth, because durations are counted in classes.
  expect(slow).toBeGreaterThanOrEqual(80);
  expect(slow).toBeLessThan(96);
  expect(quick).toBeGreaterThanOrEqual(4);
  expect(quick).toBeLessThan(4.8);
});

it.each([
  [0, 1],
  [89, 1],
  [90, 2],
  [600, 10],
  [3600, 60],
  [86_400, 1800],
])('bucketsOf divides the time since %i seconds ago into periods of %i seconds', (secondsAgo, width) => {
  const buckets = bucketsOf([row(secondsAgo, 'ok', 1), row(0, 'failed')], NOW);
  for (const { from, to } of buckets) {
    expect(to - from).toBe(width * 1000);
    expect(from % (width * 1000)).toBe(0);
  }
  expect(buckets.reduce((sum, { count }) => sum + count, 0)).toBe(2);
  expect(buckets.at(-1)).toMatchObject({ errors: 1 });
});

it('bucketsOf has empty periods without rows', () => {
  expect(bucketsOf([], NOW).every(({ count, p95 }) => count === 0 && p95 === undefined)).toBe(true);
});
