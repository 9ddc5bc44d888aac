import { expect, test } from 'vitest';
import { ItemsByActor } from '../../src/scheduling/items-by-actor.ts';
import { SlotPool } from '../../src/scheduling/slot-pool.ts';

/** Takes as many places as `actor` may have; returns how many it has then. */
function fill(places: SlotPool<object>, actor: string): number {
  while (places.take(actor, {}));
  return places.of(actor).size;
}

test('the first of 512 gets 256, the next 85, and everybody one as long as one is free', () => {
  const places = new SlotPool<object>(512);
  expect([fill(places, 'a'), fill(places, 'b'), places.isFull]).toEqual([256, 85, false]);
  for (let i = 0; i < 171; i++) expect(places.take(`c${i}`, {})).toBe(true);
  expect([places.taken, places.isFull, places.take('d', {})]).toEqual([512, true, false]);
});

test('when all are taken, whoever has most owes one, to those who would have less', () => {
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

test('with another number of places nobody loses one', () => {
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

test('things are taken one of each actor after the other, the oldest first', () => {
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

test('of two who have the same number of things, the one that has had some for longest has most', () => {
  const holdings = new ItemsByActor<string>();
  for (const item of ['a1', 'b1', 'b2', 'a2', 'c1']) holdings.add(item.slice(0, 1), item);
  expect(holdings.largestHolder()).toBe('a');
});

test('an actor whose last thing is taken or deleted has nothing', () => {
  const holdings = new ItemsByActor<string>();
  holdings.add('a', 'a1');
  holdings.add('b', 'b1');
  expect([holdings.actors, holdings.shift(), holdings.actors]).toEqual([2, 'a1', 1]);
  expect([holdings.delete('b', 'b1'), holdings.actors]).toEqual([true, 0]);
});

test('the newest of an actor is what took a place last', () => {
  const places = new SlotPool<string>(16);
  for (const item of ['x', 'y', 'z']) places.take('a', item);
  expect([places.newest('a'), places.newest('b')]).toEqual(['z', undefined]);
});

test('an actor enters a free place without anybody making room', () => {
  const places = new SlotPool<string>(8);
  const asked: unknown[] = [];
  const entered = places.enter('a', 'x', (debtor) => asked.push(debtor) > 0);
  expect([entered, [...places.of('a')], asked]).toEqual([true, ['x'], []]);
});

test('an actor enters a full place once the debtor has made room', () => {
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
])('an actor does not enter where whoever should make room %s', (_, answer) => {
  const places = new SlotPool<string>(2);
  places.take('a', 'x');
  places.take('b', 'y');
  expect([places.enter('c', 'z', () => answer), places.of('c').size]).toEqual([false, 0]);
});
