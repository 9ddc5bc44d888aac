import { expect, it } from 'vitest';
import { SessionStarts } from '../../../../src/emulator/serve/gateway/session-starts.ts';
import { ManualClock } from '../../../helpers/manual-clock.ts';

const DAY_MS = 86_400_000;
const ONE = { max_concurrency: 1, enforced: true };

function started(at?: number) {
  const clock = new ManualClock(at);
  return { clock, starts: new SessionStarts(clock) };
}

it('a bot may start 1000 sessions a day, which begins with the first', () => {
  const { clock, starts } = started();
  expect(starts.limitOf('1', 3)).toEqual({
    total: 1000,
    remaining: 1000,
    reset_after: 0,
    max_concurrency: 3,
  });
  for (let count = 0; count < 1000; count += 1) {
    expect(starts.take('1', 0, ONE)).toBe(true);
    clock.advance(5000);
  }
  expect(starts.take('1', 0, ONE)).toBe(false);
  expect(starts.limitOf('1', 1)).toMatchObject({ remaining: 0, reset_after: DAY_MS - 5_000_000 });
  // Counted, but not refused, unless the limits are enforced; and another bot has its own.
  expect(starts.take('1', 0, { ...ONE, enforced: false })).toBe(true);
  expect(starts.limitOf('1', 1).remaining).toBe(0);
  expect(starts.limitOf('2', 1).remaining).toBe(1000);
  clock.advance(DAY_MS - 5_000_000);
  expect(starts.limitOf('1', 1)).toMatchObject({ remaining: 1000, reset_after: 0 });
  expect(starts.take('1', 0, ONE)).toBe(true);
  expect(starts.limitOf('1', 1)).toMatchObject({ remaining: 999, reset_after: DAY_MS });
});

it('sessions of one bucket start five seconds apart', () => {
  const { clock, starts } = started();
  const take = (shard: number, max_concurrency = 2) =>
    starts.take('1', shard, { max_concurrency, enforced: true });
  expect([take(0), take(1), take(2), take(3)]).toEqual([true, true, false, false]);
  expect(starts.take('2', 0, ONE)).toBe(true);
  clock.advance(4999);
  expect(take(2)).toBe(false);
  clock.advance(1);
  expect([take(2), take(0), take(5)]).toEqual([true, false, true]);
  expect(starts.limitOf('1', 2).remaining).toBe(996);
});

it('a count of a clock that was set back no longer counts', () => {
  const { starts, clock } = started();
  starts.take('1', 0, ONE);
  clock.advance(-1);
  expect(starts.limitOf('1', 1)).toMatchObject({ remaining: 1000, reset_after: 0 });
  expect(starts.take('1', 0, ONE)).toBe(true);
});

it('the least recent of more than 10,000 applications is forgotten', () => {
  const { starts } = started();
  for (let id = 0; id < 10_000; id += 1) starts.take(String(id), 0, ONE);
  starts.take('0', 0, { ...ONE, enforced: false });
  starts.take('x', 0, ONE);
  expect(['0', '1', '2', 'x'].map((id) => starts.limitOf(id, 1).remaining)).toEqual([998, 1000, 999, 999]);
});
