import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { SilentConnections, type SilentOptions } from '../../src/scheduling/silent-connections.ts';

function silentOf(options: Partial<SilentOptions<string>>) {
  const dropped: string[] = [];
  const silent = new SilentConnections<string>({
    limit: 2,
    drop: (one) => void dropped.push(one),
    ...options,
  });
  return { silent, dropped };
}

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

it('the connection that is silent for the longest time is dropped beyond the limit', () => {
  const { silent, dropped } = silentOf({});
  for (const one of ['a', 'b', 'c']) expect(silent.add(one)).toBe(true);
  silent.renew('b');
  silent.renew('a');
  silent.add('d');
  expect(dropped).toEqual(['a', 'c']);
  expect([silent.delete('a'), silent.delete('b')]).toEqual([false, true]);
  silent.add('e');
  expect(dropped).toEqual(['a', 'c']);
});

it('a connection that must not be dropped stays, and a new one is dropped instead', () => {
  const served = new Set(['a', 'b']);
  const { silent, dropped } = silentOf({ mayDrop: (one) => !served.has(one) });
  expect(['a', 'b', 'c'].map((one) => silent.add(one))).toEqual([true, true, false]);
  served.delete('b');
  expect(silent.add('d')).toBe(true);
  expect(dropped).toEqual(['c', 'b']);
});

it('any connection but the new one may be dropped in the mode any', () => {
  const all = new Set<string>();
  for (let n = 0; n < 200; n++) {
    const { silent } = silentOf({ limit: 3, dropped: 'any', drop: (one) => void all.add(one) });
    for (const one of ['a', 'b', 'c', 'd']) expect(silent.add(one)).toBe(true);
  }
  expect(all).toEqual(new Set(['a', 'b', 'c']));
});

it('the actor with the most silent connections loses its own, whoever comes', () => {
  const { silent, dropped } = silentOf({ limit: 3, actorOf: (one) => one.charAt(0) });
  for (const one of ['a1', 'b1', 'b2', 'c1', 'b3']) silent.add(one);
  expect(dropped).toEqual(['b1', 'b2']);
});

it('a lower limit applies from the next connection on', () => {
  const { silent, dropped } = silentOf({ limit: 5 });
  for (const one of ['a', 'b', 'c', 'd', 'e']) silent.add(one);
  silent.limit = 2;
  silent.add('f');
  expect(dropped).toEqual(['a', 'b', 'c', 'd']);
});

it('a connection counts after its time to arrive, and the limit then applies', async () => {
  const { silent, dropped } = silentOf({ arrivalMs: 100 });
  for (const one of ['a', 'b', 'c', 'd']) silent.add(one);
  silent.delete('b');
  await vi.advanceTimersByTimeAsync(99);
  expect([dropped, silent.oldest()]).toEqual([[], 'a']);
  await vi.advanceTimersByTimeAsync(1);
  await new Promise(setImmediate);
  await new Promise(setImmediate);
  await new Promise(setImmediate);
  expect(dropped).toEqual(['a']);
  expect(silent.oldest()).toBe('c');
});
