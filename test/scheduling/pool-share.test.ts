import { expect, test } from 'vitest';
import { PoolShare } from '../../src/scheduling/pool-share.ts';

test('the first actor may hold half of the pool, the second a third of the rest', () => {
  const ledger = new PoolShare(1024);
  expect(ledger.charge('a', 513)).toBe(false);
  expect(ledger.charge('a', 512)).toBe(true);
  expect(ledger.charge('b', 171)).toBe(false);
  expect(ledger.charge('b', 170)).toBe(true);
  expect(ledger.free).toBe(342);
  expect([ledger.heldBy('a'), ledger.heldBy('b'), ledger.heldBy('c')]).toEqual([512, 170, 0]);
});

test('the amount that one actor releases is available to another', () => {
  const ledger = new PoolShare(1024);
  ledger.charge('a', 512);
  ledger.charge('b', 170);
  ledger.release('a', 512);
  expect(ledger.shareOf('b')).toBe(512);
  expect(ledger.charge('b', 343)).toBe(false);
  expect(ledger.charge('b', 342)).toBe(true);
});

test('an actor above its share may shrink, and not grow', () => {
  const ledger = new PoolShare(100);
  ledger.charge('a', 50);
  ledger.charge('b', 16);
  expect(ledger.shareOf('a')).toBe(28);
  expect(ledger.set('a', 51)).toBe(false);
  expect(ledger.set('a', 40)).toBe(true);
  expect(ledger.free).toBe(44);
});

test('an actor that releases more than it holds, or twice, creates nothing', () => {
  const ledger = new PoolShare(100);
  ledger.charge('a', 10);
  ledger.release('a', 1000);
  ledger.release('a', 10);
  ledger.release('nobody', 5);
  expect(ledger.free).toBe(100);
  expect(ledger.balanced).toBe(true);
});

test('a thousand actors all receive a share, and the pool is never overdrawn', () => {
  const ledger = new PoolShare(1_000_000);
  for (let i = 0; i < 1000; i++) {
    const share = ledger.shareOf(`actor ${i}`);
    expect(ledger.charge(`actor ${i}`, share)).toBe(true);
  }
  expect(ledger.free).toBeGreaterThan(0);
});

test('an actor above its share may set the amount that it already holds', () => {
  const ledger = new PoolShare(100);
  ledger.charge('a', 50);
  ledger.charge('b', 16);
  expect(ledger.set('a', 50)).toBe(true);
  expect([ledger.heldBy('a'), ledger.free]).toEqual([50, 34]);
});

test('the guaranteed amount of an actor includes the amount that it already holds', () => {
  const ledger = new PoolShare(10, 4);
  ledger.charge('b', 5);
  ledger.charge('a', 4);
  expect([ledger.free, ledger.shareOf('a')]).toEqual([1, 4]);
});

test('the largest holder is the first of those that hold the same amount', () => {
  const ledger = new PoolShare(100);
  expect(ledger.largestHolder()).toBeUndefined();
  ledger.charge('a', 1);
  ledger.charge('b', 5);
  ledger.charge('c', 5);
  ledger.charge('d', 2);
  expect(ledger.largestHolder()).toBe('b');
});

test('a pool is balanced when no actor holds anything', () => {
  const ledger = new PoolShare(100);
  expect(ledger.balanced).toBe(true);
  ledger.charge('a', 1);
  expect(ledger.balanced).toBe(false);
  ledger.release('a', 1);
  expect(ledger.balanced).toBe(true);
});

test('force sets an amount beyond the share, which the others then lack', () => {
  const pool = new PoolShare(100);
  pool.force('one', 80);
  expect([pool.heldBy('one'), pool.taken, pool.free]).toEqual([80, 80, 20]);
  expect(pool.charge('two', 7)).toBe(false);
  expect(pool.charge('two', 6)).toBe(true);
  pool.force('one', 0);
  pool.release('two', 6);
  expect([pool.taken, pool.balanced]).toEqual([0, true]);
});
