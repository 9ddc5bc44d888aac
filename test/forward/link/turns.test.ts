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
