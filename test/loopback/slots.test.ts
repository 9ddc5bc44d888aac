import { expect, it } from 'vitest';
import { Slots } from '../../src/loopback/slots.ts';

function slotsOf(most: number, mayGo?: (item: string) => boolean) {
  const gone: string[] = [];
  return { slots: new Slots<string>(most, (item) => void gone.push(item), mayGo), gone };
}

it('the item that waits longest is removed to make room', () => {
  const { slots, gone } = slotsOf(2);
  for (const item of ['a', 'b', 'c']) expect(slots.enter(item)).toBe(true);
  slots.renew('b');
  slots.renew('a');
  slots.enter('d');
  expect(gone).toEqual(['a', 'c']);
  // Whoever went has nothing left to give back or to renew.
  expect([slots.leave('a'), slots.leave('b')]).toEqual([false, true]);
  slots.enter('e');
  expect(gone).toEqual(['a', 'c']);
});

it('an item that must not be removed retains its slot, and a new item is refused', () => {
  const served = new Set(['a', 'b']);
  const { slots, gone } = slotsOf(2, (item) => !served.has(item));
  expect(['a', 'b', 'c'].map((item) => slots.enter(item))).toEqual([true, true, false]);
  served.delete('b');
  expect([slots.enter('c'), gone]).toEqual([true, ['b']]);
});

it('any item may be removed to make room in the mode any', () => {
  const gone = new Set<string>();
  for (let n = 0; n < 200; n++) {
    const slots = new Slots<string>(3, (item) => void gone.add(item), undefined, 'any');
    for (const item of ['a', 'b', 'c', 'd']) expect(slots.enter(item)).toBe(true);
  }
  expect(gone).toEqual(new Set(['a', 'b', 'c']));
});
