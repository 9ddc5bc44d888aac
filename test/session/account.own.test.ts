import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Account, type AccountLimits } from '../../src/session/account.ts';
import { HEADER_BYTES } from '../../src/wire/frame.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const none: AccountLimits = {
  messagesBurst: 0,
  messagesPerSecond: 0,
  bytesPerSecond: 0,
  floodMs: 0,
  frameBytes: 1000,
  shareOfCore: 1,
  connectsBurst: 0,
  connectsPerSecond: 0,
};
const account = (limits: Partial<AccountLimits>) => new Account({ ...none, ...limits }, performance.now());
const take = (of: Account, messages: number, bytes = 0) => of.take(messages, bytes, performance.now());
const isFree = (of: Account): boolean => {
  const waiter = { goOn: () => {} };
  const admitted = of.admits(waiter);
  of.forget(waiter);
  return admitted;
};

describe('an account without limits', () => {
  it('accepts every frame', () => {
    const free = account({});
    for (let n = 0; n < 1000; n += 1) expect(take(free, 1, 1_000_000)).toBe('go');
    free.worked(60_000, performance.now());
    expect(isFree(free)).toBe(true);
    expect(free.isIdle(performance.now())).toBe(true);
  });
});

describe('a message rate', () => {
  it.each([
    [{ messagesBurst: 5, messagesPerSecond: 10 }, 5, 100],
    // Where one half is asked for, the other is 240 at once and 120 a second.
    [{ messagesPerSecond: 10 }, 240, 100],
    [{ messagesBurst: 5 }, 5, 1000 / 120],
  ])('of %j accepts %i messages at once, then one each %d ms', (limits, burst, ms) => {
    const limited = account({ ...limits, floodMs: 1e9 });
    for (let n = 0; n < burst; n += 1) expect(take(limited, 1)).toBe('go');
    expect(isFree(limited)).toBe(true);
    expect(take(limited, 1)).toBe('wait');
    expect(isFree(limited)).toBe(false);
    vi.advanceTimersByTime(Math.floor(ms) - 1);
    expect(isFree(limited)).toBe(false);
    vi.advanceTimersByTime(2);
    expect(isFree(limited)).toBe(true);
    expect(limited.isIdle(performance.now())).toBe(false);
    vi.advanceTimersByTime(60_000);
    expect(limited.isIdle(performance.now())).toBe(true);
  });
  it('does not count frames that are no messages', () => {
    const limited = account({ messagesBurst: 1, messagesPerSecond: 1, floodMs: 1e9 });
    for (let n = 0; n < 10; n += 1) expect(take(limited, 0, 100)).toBe('go');
  });
});

it('a byte rate accepts the largest frame at once', () => {
  const limited = account({ bytesPerSecond: 100, floodMs: 1e9 });
  expect(take(limited, 1, 1000 + HEADER_BYTES)).toBe('go');
  expect(take(limited, 1, 10)).toBe('wait');
  const wide = account({ bytesPerSecond: 5000, floodMs: 1e9 });
  expect(take(wide, 1, 5000)).toBe('go');
  expect(take(wide, 1, 10)).toBe('wait');
});

it('the share of a core is an average over ten seconds, and one frame costs at most 100 ms', () => {
  const limited = account({ shareOfCore: 0.1 });
  for (let n = 0; n < 10; n += 1) limited.worked(1e9, performance.now());
  expect(isFree(limited)).toBe(true);
  limited.worked(50, performance.now());
  expect(isFree(limited)).toBe(false);
  // 50 ms of a tenth of a core.
  vi.advanceTimersByTime(499);
  expect(isFree(limited)).toBe(false);
  vi.advanceTimersByTime(2);
  expect(isFree(limited)).toBe(true);
});

describe('waiting connections of a process in debt', () => {
  function waiting(count: number) {
    const limited = account({ shareOfCore: 0.1 });
    for (let n = 0; n < 11; n += 1) limited.worked(100, performance.now());
    const order: number[] = [];
    const waiters = Array.from({ length: count }, (_, n) => ({ goOn: () => void order.push(n) }));
    for (const waiter of waiters) expect(limited.admits(waiter)).toBe(false);
    return { limited, order, waiters };
  }

  it('resume in order once the debt is paid, and leave no timer', () => {
    const { limited, order } = waiting(3);
    expect(vi.getTimerCount()).toBe(1);
    expect(limited.isIdle(performance.now() + 1e9)).toBe(false);
    vi.advanceTimersByTime(1001);
    expect(order).toEqual([0, 1, 2]);
    expect(vi.getTimerCount()).toBe(0);
    expect(limited.isIdle(performance.now() + 60_000)).toBe(true);
  });
  it('wait on when the first of them causes new debt', () => {
    const { limited, order, waiters } = waiting(2);
    const first = waiters[0];
    if (!first) throw new Error('no waiter');
    first.goOn = () => {
      order.push(0);
      limited.worked(100, performance.now());
    };
    vi.advanceTimersByTime(1001);
    expect(order).toEqual([0]);
    expect(vi.getTimerCount()).toBe(1);
    vi.advanceTimersByTime(1001);
    expect(order).toEqual([0, 1]);
    expect(vi.getTimerCount()).toBe(0);
  });
  it('are not resumed after they have left, and the last one cancels the timer', () => {
    const { limited, order, waiters } = waiting(2);
    const [first, second] = waiters;
    if (!first || !second) throw new Error('no waiter');
    limited.forget(first);
    expect(vi.getTimerCount()).toBe(1);
    limited.forget(second);
    expect(vi.getTimerCount()).toBe(0);
    vi.advanceTimersByTime(5000);
    expect(order).toEqual([]);
    // A timer is set for who comes later.
    for (let n = 0; n < 11; n += 1) limited.worked(100, performance.now());
    limited.admits(second);
    vi.advanceTimersByTime(60_000);
    expect(order).toEqual([1]);
  });
});
