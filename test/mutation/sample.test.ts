import { describe, expect, it } from 'vitest';
import { sampleOf, wilsonInterval } from './sample.ts';

const items = Array.from({ length: 20 }, (_, n) => `item ${n}`);
const sample = (seed: number, size = 5, of = items) => sampleOf(of, (item) => item, { seed, size });

describe('a sample', () => {
  it('is the same for the same seed, whatever the order of the items', () => {
    expect(sample(7, 5, [...items].reverse())).toEqual(sample(7));
    expect(sample(8)).not.toEqual(sample(7));
  });
  it('has each item at most once, and no more items than exist', () => {
    expect(sample(1, 100).sort()).toEqual([...items].sort());
    expect(new Set(sample(2, 12)).size).toBe(12);
    expect(sample(3, 5, [])).toEqual([]);
  });
  it('selects each item equally often', () => {
    const counts = new Map(items.map((item) => [item, 0]));
    for (let seed = 0; seed < 2000; seed += 1)
      for (const item of sample(seed)) counts.set(item, (counts.get(item) ?? 0) + 1);
    // 500 expected; the bounds are five standard deviations away, and the seeds are always the same.
    for (const count of counts.values()) expect(count).toSatisfy((n: number) => n > 400 && n < 600);
  });
});

describe('the 95 % interval of a score', () => {
  it.each([
    // Published examples of Wilson's score interval.
    [81, 263, 25.5, 36.6],
    [15, 148, 6.2, 16.0],
    [0, 20, 0, 16.1],
    [20, 20, 83.9, 100],
    [0, 0, 0, 100],
  ])('of %i of %i matches a published example of the Wilson interval', (successes, size, low, high) => {
    const interval = wilsonInterval(successes, size);
    expect(interval.low).toBeCloseTo(low, 1);
    expect(interval.high).toBeCloseTo(high, 1);
  });
});
