import { expect, test } from 'vitest';
import { RateLimit, TokenBucket } from '../../src/session/rate-limit.ts';

const rate = { burst: 240, perSecond: 120 };

test('a burst passes without a wait, and the next message waits for its own debt', () => {
  const bucket = new TokenBucket(rate, 0);
  for (let i = 0; i < 240; i++) expect(bucket.take(1, 0)).toBe(0);
  expect(bucket.take(1, 0)).toBeCloseTo(1000 / 120, 6);
  expect(bucket.take(11, 0)).toBeCloseTo(100, 6);
});

test('elapsed time pays the debt and refills the bucket up to its burst', () => {
  const bucket = new TokenBucket(rate, 0);
  bucket.take(360, 0);
  expect(bucket.isFull(2999)).toBe(false);
  expect(bucket.isFull(3000)).toBe(true);
  expect(bucket.take(241, 1_000_000)).toBeCloseTo(1000 / 120, 6);
});

test('a clock that stops or runs backwards refills nothing', () => {
  const bucket = new TokenBucket(rate, 1000);
  bucket.take(240, 1000);
  expect(bucket.take(12, 0)).toBeCloseTo(100, 6);
});

const limits = {
  messages: { burst: 240, perSecond: 120 },
  bytes: { burst: 262_144, perSecond: 262_144 },
  floodMs: 60_000,
};

test('a burst of 200 requests within the limits does not wait', () => {
  const limit = new RateLimit(limits, 0);
  for (let i = 0; i < 200; i++) expect(limit.take(1, 300, 0)).toEqual({ kind: 'go' });
});

test('a message beyond the burst waits exactly as long as the rate requires', () => {
  const limit = new RateLimit(limits, 0);
  for (let i = 0; i < 240; i++) limit.take(1, 10, 0);
  expect(limit.take(1, 10, 0)).toEqual({ kind: 'wait', ms: 1000 / 120 });
});

test('large frames wait by their bytes', () => {
  const limit = new RateLimit(limits, 0);
  expect(limit.take(1, 262_144, 0)).toEqual({ kind: 'go' });
  expect(limit.take(1, 65_536, 0)).toEqual({ kind: 'wait', ms: 250 });
});

test('only a peer that exceeds its rate for the whole time is a flood', () => {
  const limit = new RateLimit(limits, 0);
  for (let i = 0; i < 300; i++) limit.take(1, 1, 0);
  let now = 0;
  while (now < 59_900) {
    now += 100;
    for (let i = 0; i < 20; i++) expect(limit.take(1, 1, now).kind).not.toBe('flood');
  }
  expect(limit.take(1, 1, 60_000)).toEqual({ kind: 'flood' });
});

test('a pause below the rate restarts the time of a flood', () => {
  const limit = new RateLimit(limits, 0);
  for (let i = 0; i < 300; i++) limit.take(1, 1, 0);
  expect(limit.take(1, 1, 30_000)).toEqual({ kind: 'go' });
  for (let i = 0; i < 300; i++) limit.take(1, 1, 61_000);
  expect(limit.take(1, 1, 61_000).kind).toBe('wait');
});

test('a flood begins exactly at the end of its time', () => {
  const over = { messages: { burst: 1, perSecond: 0.001 }, bytes: undefined, floodMs: 1000 };
  const limit = new RateLimit(over, 500);
  expect(limit.take(1, 1, 500)).toEqual({ kind: 'go' });
  // The time begins with the first frame above the rate.
  expect(limit.take(1, 1, 600).kind).toBe('wait');
  expect(limit.take(1, 1, 1599).kind).toBe('wait');
  expect(limit.take(1, 1, 1600)).toEqual({ kind: 'flood' });
});

test.each([
  ['messages', { messages: { burst: 2, perSecond: 1 }, bytes: undefined }],
  ['bytes', { messages: undefined, bytes: { burst: 20, perSecond: 10 } }],
])('a limit with a rate of %s alone is full once that debt is paid', (_, rates) => {
  const limit = new RateLimit({ ...rates, floodMs: 60_000 }, 0);
  expect(limit.isFull(0)).toBe(true);
  limit.take(1, 10, 0);
  expect([limit.isFull(999), limit.isFull(1000)]).toEqual([false, true]);
});

test('a limit with both rates waits for the longer debt, and is full once both are paid', () => {
  const rates = { messages: { burst: 1, perSecond: 1 }, bytes: { burst: 10, perSecond: 10 } };
  const limit = new RateLimit({ ...rates, floodMs: 60_000 }, 0);
  expect(limit.take(3, 20, 0)).toEqual({ kind: 'wait', ms: 2000 });
  expect(limit.isFull(2500)).toBe(false);
  expect(limit.isFull(3000)).toBe(true);
  expect(limit.take(0, 40, 3000)).toEqual({ kind: 'wait', ms: 3000 });
});

test('a limit without rates accepts everything', () => {
  const limit = new RateLimit({ messages: undefined, bytes: undefined, floodMs: 0 }, 0);
  expect(limit.take(1e9, 1e9, 0)).toEqual({ kind: 'go' });
  expect(limit.isFull(0)).toBe(true);
});

test('an exactly empty bucket has no debt, and refills by the elapsed time', () => {
  const bucket = new TokenBucket({ burst: 10, perSecond: 2 }, 100);
  expect(bucket.isFull(100)).toBe(true);
  expect(bucket.take(10, 100)).toBe(0);
  expect(bucket.isFull(100)).toBe(false);
  expect(bucket.take(1, 600)).toBe(0);
  expect(bucket.take(1, 600)).toBe(500);
  expect(bucket.take(0, 850)).toBe(250);
});
