import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { limit, MAX_TIMER_MS, onAbort, quietTimer, within } from '../../src/client/limit.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

it('gives an error that names what took too long, at its time', () => {
  const given: unknown[] = [];
  limit('SET_ACTIVITY', 1000, undefined, (reason) => given.push(reason));
  vi.advanceTimersByTime(999);
  expect(given).toEqual([]);
  vi.advanceTimersByTime(1);
  const message = 'SET_ACTIVITY: no answer within 1000 ms';
  expect(given).toMatchObject([{ code: 'FOOTBRIDGE_TIMEOUT', message }]);
});

it.each([0, 2_000_000_000, MAX_TIMER_MS, Number.POSITIVE_INFINITY])('sets no timer for %i ms', (ms) => {
  limit('it', ms, undefined, () => {});
  expect(vi.getTimerCount()).toBe(0);
});

it('sets the longest timer there may be', () => {
  limit('it', 1_999_999_999, undefined, () => {});
  expect(vi.getTimerCount()).toBe(1);
});

it('gives the reason of the signal', () => {
  const asker = new AbortController();
  const given: unknown[] = [];
  limit('it', 1000, asker.signal, (reason) => given.push(reason));
  asker.abort('enough');
  expect(given).toEqual(['enough']);
});

it('gives nothing once it is taken back', () => {
  const asker = new AbortController();
  const given: unknown[] = [];
  const forget = limit('it', 1000, asker.signal, (reason) => given.push(reason));
  forget();
  expect(vi.getTimerCount()).toBe(0);
  asker.abort();
  expect(given).toEqual([]);
});

it('is what work that is late is rejected with, and leaves no timer behind the rest', async () => {
  expect(await within(Promise.resolve(7), 'it', 1000)).toBe(7);
  await expect(within(Promise.reject(new Error('own')), 'it', 1000)).rejects.toThrow('own');
  expect(vi.getTimerCount()).toBe(0);
  const late = within(new Promise(() => {}), 'it', 1000);
  vi.advanceTimersByTime(1000);
  await expect(late).rejects.toMatchObject({ code: 'FOOTBRIDGE_TIMEOUT' });
});

it('listens for an abort until it no longer has to', () => {
  const asker = new AbortController();
  let heard = 0;
  const first = onAbort(asker.signal, () => (heard += 1));
  onAbort(asker.signal, () => (heard += 10));
  first();
  asker.abort();
  expect(heard).toBe(10);
  expect(onAbort(undefined, () => {})).not.toThrow();
});

it('a quiet timer keeps no process alive', () => {
  vi.useRealTimers();
  const timer = quietTimer(() => {}, 1000);
  expect(timer.hasRef()).toBe(false);
  clearTimeout(timer);
});
