import { expect, test } from 'vitest';
import { Bucket } from '../../src/session/bucket.ts';

const rate = { burst: 240, perSecond: 120 };

test('a burst passes without a wait, the next one waits for its own debt', () => {
  const bucket = new Bucket(rate, 0);
  for (let i = 0; i < 240; i++) expect(bucket.take(1, 0)).toBe(0);
  expect(bucket.take(1, 0)).toBeCloseTo(1000 / 120, 6);
  expect(bucket.take(11, 0)).toBeCloseTo(100, 6);
});

test('time pays the debt and fills up to the burst, not beyond', () => {
  const bucket = new Bucket(rate, 0);
  bucket.take(360, 0);
  expect(bucket.isFull(2999)).toBe(false);
  expect(bucket.isFull(3000)).toBe(true);
  expect(bucket.take(241, 1_000_000)).toBeCloseTo(1000 / 120, 6);
});

test('a clock that stands still or goes back gives nothing', () => {
  const bucket = new Bucket(rate, 1000);
  bucket.take(240, 1000);
  expect(bucket.take(12, 0)).toBeCloseTo(100, 6);
});
