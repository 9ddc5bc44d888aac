import { expect, it } from 'vitest';
import { newTurn, type Turn, Turns } from '../../../src/forward/link/turns.ts';

interface Named extends Turn {
  readonly name: string;
}

const named = (name: string): Named => ({ name, ...newTurn() });

/** Serves sessions that always have more to send, each turn with the cost it may have, up to `cost`. */
function serve(turns: Turns<Named>, times: number, cost: number): string[] {
  const order: string[] = [];
  for (let time = 0; time < times; time += 1) {
    const turn = turns.peek();
    if (turn === undefined) break;
    order.push(turn.name);
    turns.served(turn, Math.min(cost, turns.allowance(turn)), true);
  }
  return order;
}

it('sessions with equal needs take turns', () => {
  const turns = new Turns<Named>();
  for (const name of ['a', 'b', 'c']) turns.add(named(name));
  const order = serve(turns, 300, 8192);
  for (const name of ['a', 'b', 'c']) expect(order.filter((one) => one === name).length).toBeCloseTo(100, -1);
});

it('a session that has sent little goes before all that have sent much', () => {
  const turns = new Turns<Named>();
  for (let index = 0; index < 199; index += 1) turns.add(named('flood'));
  // Each flooding session has sent its first bytes of the round.
  serve(turns, 199, 8192);
  const honest = named('honest');
  turns.add(honest);
  expect(turns.peek()).toBe(honest);
  expect(turns.isFirst).toBe(true);
  turns.served(honest, 700, false);
  // Again in the same round, as long as it sends little.
  turns.add(honest);
  expect(turns.peek()).toBe(honest);
});

it('a session that comes again and again does not stay first', () => {
  const turns = new Turns<Named>();
  const [flood, other] = [named('flood'), named('other')];
  turns.add(other);
  serve(turns, 2, 8192);
  const served: string[] = [];
  for (let time = 0; time < 40; time += 1) {
    turns.add(flood);
    const turn = turns.peek() as Named;
    served.push(turn.name);
    turns.served(turn, Math.min(4096, turns.allowance(turn)), turn === other);
  }
  expect(served.filter((name) => name === 'other').length).toBeGreaterThan(10);
});

it('a session is added once', () => {
  const turns = new Turns<Named>();
  const one = named('one');
  turns.add(one);
  turns.add(one);
  turns.served(one, 10, false);
  expect(turns.peek()).toBeUndefined();
});

/** Serves the session whose turn it is with all that it may have, up to `max`; returns its name and cost. */
function serveOne(turns: Turns<Named>, more: boolean, max = Number.POSITIVE_INFINITY): string {
  const turn = turns.peek() as Named;
  const cost = Math.min(max, turns.allowance(turn));
  turns.served(turn, cost, more);
  return `${turn.name} ${cost}`;
}

it('a session sends 2 KiB first, and then 8 KiB at a time after those that have sent less', () => {
  const turns = new Turns<Named>();
  const [a, b] = [named('a'), named('b')];
  turns.add(a);
  expect([serveOne(turns, true), turns.isFirst]).toEqual(['a 2048', false]);
  turns.add(b);
  expect(turns.isFirst).toBe(true);
  expect([serveOne(turns, true, 1000), serveOne(turns, true), serveOne(turns, true)]).toEqual([
    'b 1000',
    'b 1048',
    'a 8192',
  ]);
  expect(serveOne(turns, true)).toBe('b 8192');
});

it('a round ends when its sessions have sent 8 KiB each, or when nobody waits', () => {
  const turns = new Turns<Named>();
  const [a, b] = [named('a'), named('b')];
  turns.add(a);
  serveOne(turns, false, 100);
  // Nobody waited, so this is another round.
  turns.add(a);
  turns.add(b);
  expect(serveOne(turns, true)).toBe('a 2048');
  expect(serveOne(turns, true)).toBe('b 2048');
  expect(serveOne(turns, false)).toBe('a 8192');
  turns.add(a);
  expect([turns.peek()?.name, turns.isFirst]).toEqual(['b', false]);
  expect(serveOne(turns, false)).toBe('b 8192');
  turns.add(b);
  // 20 KiB of 16 KiB were sent: those that come now are first, and those that waited keep their place.
  expect([turns.peek()?.name, turns.isFirst]).toEqual(['b', true]);
});

it('the order of sessions is that in which they came, also after all have left', () => {
  const turns = new Turns<Named>();
  for (const round of [1, 2]) {
    const names = ['a', 'b', 'c'].map((name) => `${name}${round}`);
    for (const name of names) turns.add(named(name));
    expect(names.map(() => serveOne(turns, false, 1).slice(0, 2))).toEqual(names);
    expect([turns.peek(), turns.isFirst]).toEqual([undefined, false]);
  }
});
