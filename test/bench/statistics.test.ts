import { expect, it } from 'vitest';
import { latencies, median, percentile, summarize } from './statistics.ts';

const upTo = (most: number): number[] => Array.from({ length: most }, (_, n) => most - n);

it('median returns the middle value, or the mean of the two middle values', () => {
  expect(median([9, 1, 5])).toBe(5);
  expect(median([4, 1, 2, 9])).toBe(3);
  expect(median([])).toBeNaN();
});

it('percentile returns the smallest value that the requested percentage of values does not exceed', () => {
  expect([50, 99, 99.9, 100].map((percent) => percentile(upTo(1000), percent))).toEqual([
    500, 990, 999, 1000,
  ]);
  expect([50, 99, 99.9].map((percent) => percentile(upTo(10), percent))).toEqual([5, 10, 10]);
  expect(percentile([7], 1)).toBe(7);
  expect(percentile([], 50)).toBeNaN();
});

it('latencies returns times in µs, and 0 when nothing was timed', () => {
  expect(latencies(upTo(1000))).toEqual({ count: 1000, p50: 5e5, p99: 9.9e5, p999: 9.99e5, max: 1e6 });
  expect(latencies([])).toEqual({ count: 0, p50: 0, p99: 0, p999: 0, max: 0 });
});

it('summarize returns median and spread', () => {
  expect(summarize([3, 1, 2])).toEqual({ median: 2, min: 1, max: 3 });
});
