import { expect, test } from 'vitest';
import { Throttle } from '../../src/session/throttle.ts';

const limits = {
  messages: { burst: 240, perSecond: 120 },
  bytes: { burst: 262_144, perSecond: 262_144 },
  floodMs: 60_000,
};

test('an honest burst of 200 requests is not slowed', () => {
  const throttle = new Throttle(limits, 0);
  for (let i = 0; i < 200; i++) expect(throttle.take(1, 300, 0)).toEqual({ kind: 'go' });
});

test('what exceeds the burst waits exactly as long as its rate says', () => {
  const throttle = new Throttle(limits, 0);
  for (let i = 0; i < 240; i++) throttle.take(1, 10, 0);
  expect(throttle.take(1, 10, 0)).toEqual({ kind: 'wait', ms: 1000 / 120 });
});

test('few large frames wait by their bytes', () => {
  const throttle = new Throttle(limits, 0);
  expect(throttle.take(1, 262_144, 0)).toEqual({ kind: 'go' });
  expect(throttle.take(1, 65_536, 0)).toEqual({ kind: 'wait', ms: 250 });
});

test('only a peer that stays above its rate for the whole time is a flood', () => {
  const throttle = new Throttle(limits, 0);
  for (let i = 0; i < 300; i++) throttle.take(1, 1, 0);
  let now = 0;
  while (now < 59_900) {
    now += 100;
    for (let i = 0; i < 20; i++) expect(throttle.take(1, 1, now).kind).not.toBe('flood');
  }
  expect(throttle.take(1, 1, 60_000)).toEqual({ kind: 'flood' });
});

test('a calm moment forgives', () => {
  const throttle = new Throttle(limits, 0);
  for (let i = 0; i < 300; i++) throttle.take(1, 1, 0);
  expect(throttle.take(1, 1, 30_000)).toEqual({ kind: 'go' });
  for (let i = 0; i < 300; i++) throttle.take(1, 1, 61_000);
  expect(throttle.take(1, 1, 61_000).kind).toBe('wait');
});
