import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { limit, MAX_TIMER_MS, onAbort, quietTimer, within } from '../../src/client/limit.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

it('limit passes an error that names the late operation when its timeout expires', () => {
  const given: unknown[] = [];
  limit('SET_ACTIVITY', 1000, undefined, (reason) => given.push(reason));
  vi.advanceTimersByTime(999);
  expect(given).toEqual([]);
  vi.advanceTimersByTime(1);
  const message = 'SET_ACTIVITY: no answer within 1000 ms';
  expect(given).toMatchObject([{ code: 'FOOTBRIDGE_TIMEOUT', message }]);
});

it.each([0, 2_000_000_000, MAX_TIMER_MS, Number.POSITIVE_INFINITY])('limit sets no timer for %i ms', (ms) => {
  limit('it', ms, undefined, () => {});
  expect(vi.getTimerCount()).toBe(0);
});

it('limit sets a timer of the maximum duration', () => {
  limit('it', 1_999_999_999, undefined, () => {});
  expect(vi.getTimerCount()).toBe(1);
});

it('limit passes the reason of the signal', () => {
  const asker = new AbortController();
  const given: unknown[] = [];
  limit('it', 1000, asker.signal, (reason) => given.push(reason));
  asker.abort('enough');
  expect(given).toEqual(['enough']);
});

it('limit passes nothing after it is cancelled', () => {
  const asker = new AbortController();
  const given: unknown[] = [];
  const forget = limit('it', 1000, asker.signal, (reason) => given.push(reason));
  forget();
  expect(vi.getTimerCount()).toBe(0);
  asker.abort();
  expect(given).toEqual([]);
});

it('within rejects late work and leaves no timer after settled work', async () => {
  expect(await within(Promise.resolve(7), 'it', 1000)).toBe(7);
  await expect(within(Promise.reject(new Error('own')), 'it', 1000)).rejects.toThrow('own');
  expect(vi.getTimerCount()).toBe(0);
  const late = within(new Promise(() => {}), 'it', 1000);
  vi.advanceTimersByTime(1000);
  await expect(late).rejects.toMatchObject({ code: 'FOOTBRIDGE_TIMEOUT' });
});

it('onAbort listens until its disposer is called', () => {
  const asker = new AbortController();
  let heard = 0;
  const first = onAbort(asker.signal, () => (heard += 1));
  onAbort(asker.signal, () => (heard += 10));
  first();
  asker.abort();
  expect(heard).toBe(10);
  expect(onAbort(undefined, () => {})).not.toThrow();
});

it('a quiet timer does not hold the process open', () => {
  vi.useRealTimers();
  const timer = quietTimer(() => {}, 1000);
  expect(timer.hasRef()).toBe(false);
  clearTimeout(timer);
});
