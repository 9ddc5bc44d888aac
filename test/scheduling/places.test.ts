import { expect, test } from 'vitest';
import { Holdings } from '../../src/scheduling/holdings.ts';
import { Places } from '../../src/scheduling/places.ts';

/** Takes as many places as `actor` may have; returns how many it has then. */
function fill(places: Places<object>, actor: string): number {
  while (places.take(actor, {}));
  return places.of(actor).size;
}

test('the first of 512 gets 256, the next 85, and everybody one as long as one is free', () => {
  const places = new Places<object>(512);
  expect([fill(places, 'a'), fill(places, 'b'), places.isFull]).toEqual([256, 85, false]);
  for (let i = 0; i < 171; i++) expect(places.take(`c${i}`, {})).toBe(true);
  expect([places.taken, places.isFull, places.take('d', {})]).toEqual([512, true, false]);
});

test('when all are taken, whoever has most owes one, to those who would have less', () => {
  const places = new Places<object>(8);
  expect(fill(places, 'a')).toBe(4);
  expect(places.debtor('b')).toBeUndefined();
  for (const actor of ['b', 'c', 'd', 'e']) places.take(actor, {});
  expect([places.debtor('f'), places.debtor('b'), places.debtor('a')]).toEqual(['a', 'a', undefined]);
  places.leave('a', [...places.of('a')].at(-1) ?? {});
  expect([places.taken, places.isFull, places.debtor('f')]).toEqual([7, false, undefined]);
  expect([places.take('f', {}), places.debtor('g')]).toEqual([true, 'a']);
  // Three and ones: one that has one already would then have no less.
  expect(places.debtor('b')).toBe('a');
  places.leave('a', [...places.of('a')].at(-1) ?? {});
  places.take('g', {});
  // Two and ones.
  expect([places.debtor('b'), places.debtor('h')]).toEqual([undefined, 'a']);
});

test('with another number of places nobody loses one', () => {
  const places = new Places<object>(8);
  fill(places, 'a');
  places.resize(2);
  expect([places.isFull, places.of('a').size, places.take('b', {}), places.debtor('b')]).toEqual([
    ...[true, 4, false, 'a'],
  ]);
  places.resize(16);
  // A third of the eleven that are free and its own four.
  expect([places.take('b', {}), fill(places, 'a')]).toEqual([true, 5]);
});

test('things are taken one of each actor after the other, the oldest first', () => {
  const holdings = new Holdings<string>();
  for (const item of ['a1', 'a2', 'a3', 'b1', 'a4', 'c1', 'b2']) holdings.add(item.slice(0, 1), item);
  expect(holdings.largest()).toBe('a');
  expect([holdings.delete('a', 'a2'), holdings.delete('a', 'a2'), holdings.delete('d', 'a1')]).toEqual([
    ...[true, false, false],
  ]);
  const taken = [];
  for (let item = holdings.shift(); item; item = holdings.shift()) taken.push(item);
  expect(taken).toEqual(['a1', 'b1', 'c1', 'a3', 'b2', 'a4']);
  expect([holdings.size, holdings.largest()]).toEqual([0, undefined]);
});
