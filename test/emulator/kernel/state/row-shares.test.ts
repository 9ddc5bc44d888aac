import { expect, it } from 'vitest';
import { MAX_RECORDS } from '../../../../src/emulator/kernel/limits.ts';
import { NoRoomError, Room } from '../../../../src/emulator/kernel/state/room.ts';
import { RowShares } from '../../../../src/emulator/kernel/state/row-shares.ts';

const LIMIT = 512_000;
/** Bytes that an owner may hold without being counted as large. */
const RESERVE = 1000;

/** Adds rows of 100 bytes for an owner until its share is used up; returns the bytes that it holds then. */
function fill(shares: RowShares, owner: string): number {
  shares.run(owner, () => {
    for (let n = 0; n < 10_000 && !shares.isUsedUp; n += 1) shares.count(owner, 100, 1);
  });
  return shares.heldBy(owner);
}

it('an owner takes at most half of the memory, the next a sixth, and each the reserve', () => {
  const shares = new RowShares(LIMIT);
  expect(fill(shares, 'one')).toBeCloseTo(LIMIT / 2 + RESERVE, -3);
  expect(fill(shares, 'two')).toBeCloseTo(LIMIT / 6 + RESERVE, -3);
  for (let n = 0; n < 50; n += 1) fill(shares, `owner ${n}`);
  expect(fill(shares, 'last')).toBeGreaterThanOrEqual(RESERVE);
});

it('owners within the reserve do not reduce the share of others', () => {
  const shares = new RowShares(LIMIT);
  for (let n = 0; n < 100; n += 1) shares.count(`small ${n}`, RESERVE, 1);
  expect(fill(shares, 'one')).toBeCloseTo(LIMIT / 2 + RESERVE, -3);
});

it('rows without an owner reduce what the owners share, and are never refused', () => {
  const shares = new RowShares(LIMIT);
  shares.count(undefined, LIMIT / 2, 1);
  expect(shares.unowned).toBe(LIMIT / 2);
  expect(fill(shares, 'one')).toBeCloseTo(LIMIT / 4 + RESERVE, -3);
  shares.count(undefined, LIMIT, 1);
  expect([shares.isUsedUp, shares.isExceeded]).toEqual([false, false]);
  shares.run('new', () => {
    shares.count('new', RESERVE, 1);
    expect([shares.isUsedUp, shares.isExceeded]).toEqual([false, false]);
    shares.count('new', 1, 1);
    expect([shares.isUsedUp, shares.isExceeded]).toEqual([true, true]);
  });
});

it('a row counts at least the limit divided by the maximum number of records', () => {
  const shares = new RowShares(MAX_RECORDS * 1000);
  shares.count('one', 400, 1);
  shares.count(undefined, 400, 1);
  expect([shares.heldBy('one'), shares.unowned]).toEqual([1000, 1000]);
  shares.count('one', 400, -1);
  shares.count(undefined, 400, -1);
  expect([shares.heldBy('one'), shares.unowned]).toEqual([0, 0]);
});

it('a task beyond its share may remove rows, but not add any', () => {
  const shares = new RowShares(LIMIT);
  fill(shares, 'one');
  shares.run('one', () => {
    shares.count('one', 100, -1);
    expect(shares.isExceeded).toBe(false);
    shares.count('one', 5000, 1);
    expect(shares.isExceeded).toBe(true);
    shares.run(undefined, () => expect(shares.isExceeded).toBe(false));
    shares.run('other', () => expect(shares.isExceeded).toBe(false));
    expect(shares.owner).toBe('one');
  });
  expect(shares.owner).toBeUndefined();
});

it('a task that throws ends its ownership', () => {
  const shares = new RowShares(LIMIT);
  expect(() => shares.run('one', () => JSON.parse('{'))).toThrow();
  expect(shares.owner).toBeUndefined();
});

it('without a limit nothing is used up', () => {
  const shares = new RowShares(Number.POSITIVE_INFINITY);
  shares.run('one', () => {
    shares.count('one', 1e12, 1);
    expect([shares.isUsedUp, shares.isExceeded]).toEqual([false, false]);
  });
});

it('a room refuses a transaction beyond the share, before and after it, with what the owner holds', () => {
  const room = new Room({ soft: LIMIT, hard: LIMIT, whole: 2 * LIMIT });
  room.shares.run('one', () => {
    const before = room.use;
    room.need();
    room.enter({}, LIMIT / 2 + 2 * RESERVE, 'one');
    expect(() => room.check(before)).toThrow(NoRoomError);
    expect(() => room.need()).toThrow(/this application or webhook counts for 0 MiB/);
  });
  room.need();
  room.check({ used: 0, aside: 0, reserved: 0, removed: 0 });
});
