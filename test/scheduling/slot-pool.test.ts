import { expect, test } from 'vitest';
import { ItemsByActor } from '../../src/scheduling/items-by-actor.ts';
import { SlotPool } from '../../src/scheduling/slot-pool.ts';

/** Takes as many places as `actor` may have; returns how many it has then. */
function fill(places: SlotPool<object>, actor: string): number {
  while (places.take(actor, {}));
  return places.of(actor).size;
}

test('the first actor of 512 slots takes 256, the next 85, and every other one while a slot is free', () => {
  const places = new SlotPool<object>(512);
  expect([fill(places, 'a'), fill(places, 'b'), places.isFull]).toEqual([256, 85, false]);
  for (let i = 0; i < 171; i++) expect(places.take(`c${i}`, {})).toBe(true);
  expect([places.taken, places.isFull, places.take('d', {})]).toEqual([512, true, false]);
});

test('a full pool evicts from its largest holder, for an actor that would have fewer slots', () => {
  const places = new SlotPool<object>(8);
  expect(fill(places, 'a')).toBe(4);
  expect(places.holderToEvict('b')).toBeUndefined();
  for (const actor of ['b', 'c', 'd', 'e']) places.take(actor, {});
  expect([places.holderToEvict('f'), places.holderToEvict('b'), places.holderToEvict('a')]).toEqual([
    'a',
    'a',
    undefined,
  ]);
  places.leave('a', [...places.of('a')].at(-1) ?? {});
  expect([places.taken, places.isFull, places.holderToEvict('f')]).toEqual([7, false, undefined]);
  expect([places.take('f', {}), places.holderToEvict('g')]).toEqual([true, 'a']);
  // Three and ones: one that has one already would then have no less.
  expect(places.holderToEvict('b')).toBe('a');
  places.leave('a', [...places.of('a')].at(-1) ?? {});
  places.take('g', {});
  // Two and ones.
  expect([places.holderToEvict('b'), places.holderToEvict('h')]).toEqual([undefined, 'a']);
});

test('a resized pool evicts no item', () => {
  const places = new SlotPool<object>(8);
  fill(places, 'a');
  places.resize(2);
  expect([places.isFull, places.of('a').size, places.take('b', {}), places.holderToEvict('b')]).toEqual([
    ...[true, 4, false, 'a'],
  ]);
  places.resize(16);
  // A third of the eleven that are free and its own four.
  expect([places.take('b', {}), fill(places, 'a')]).toEqual([true, 5]);
});

test('items are shifted from each actor in turn, the oldest first', () => {
  const holdings = new ItemsByActor<string>();
  for (const item of ['a1', 'a2', 'a3', 'b1', 'a4', 'c1', 'b2']) holdings.add(item.slice(0, 1), item);
  expect(holdings.largestHolder()).toBe('a');
  expect([holdings.delete('a', 'a2'), holdings.delete('a', 'a2'), holdings.delete('d', 'a1')]).toEqual([
    ...[true, false, false],
  ]);
  const taken = [];
  for (let item = holdings.shift(); item; item = holdings.shift()) taken.push(item);
  expect(taken).toEqual(['a1', 'b1', 'c1', 'a3', 'b2', 'a4']);
  expect([holdings.size, holdings.largestHolder()]).toEqual([0, undefined]);
});

test('of two actors with equally many items, the one that holds items for longer is the largest holder', () => {
  const holdings = new ItemsByActor<string>();
  for (const item of ['a1', 'b1', 'b2', 'a2', 'c1']) holdings.add(item.slice(0, 1), item);
  expect(holdings.largestHolder()).toBe('a');
});

test('an actor whose last item is shifted or deleted holds nothing', () => {
  const holdings = new ItemsByActor<string>();
  holdings.add('a', 'a1');
  holdings.add('b', 'b1');
  expect([holdings.actors, holdings.shift(), holdings.actors]).toEqual([2, 'a1', 1]);
  expect([holdings.delete('b', 'b1'), holdings.actors]).toEqual([true, 0]);
});

test('the newest item of an actor is the one that took a slot last', () => {
  const places = new SlotPool<string>(16);
  for (const item of ['x', 'y', 'z']) places.take('a', item);
  expect([places.newest('a'), places.newest('b')]).toEqual(['z', undefined]);
});

test('an actor has an oldest and a newest item, as long as it holds one', () => {
  const holdings = new ItemsByActor<string>();
  for (const item of ['a1', 'a2', 'a3']) holdings.add('a', item);
  holdings.delete('a', 'a1');
  expect([holdings.oldest('a'), holdings.newest('a')]).toEqual(['a2', 'a3']);
  expect([holdings.oldest('b'), holdings.newest('b')]).toEqual([undefined, undefined]);
});

test('an actor enters a free slot without an eviction', () => {
  const places = new SlotPool<string>(8);
  const asked: unknown[] = [];
  const entered = places.enter('a', 'x', (debtor) => asked.push(debtor) > 0);
  expect([entered, [...places.of('a')], asked]).toEqual([true, ['x'], []]);
});

test('an actor enters a full pool once an item of the largest holder is evicted', () => {
  const places = new SlotPool<string>(4);
  for (const item of ['1', '2', '3']) places.take('a', item);
  places.take('b', 'x');
  places.take('c', 'y');
  expect([places.isFull, places.of('a').size]).toEqual([true, 2]);
  const makeRoom = (debtor: string | undefined): boolean => {
    expect(debtor).toBe('a');
    places.leave('a', places.newest('a') ?? '');
    return true;
  };
  expect([places.enter('d', 'z', makeRoom), [...places.of('d')]]).toEqual([true, ['z']]);
});

test.each([
  ['cannot', false],
  ['says that it has, and has not', true],
])('an actor does not enter a full pool when the eviction callback %s', (_, answer) => {
  const places = new SlotPool<string>(2);
  places.take('a', 'x');
  places.take('b', 'y');
  expect([places.enter('c', 'z', () => answer), places.of('c').size]).toEqual([false, 0]);
});
