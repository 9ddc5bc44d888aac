import { expect, it } from 'vitest';
import { Spacing } from '../../src/session/flow-control.ts';

it('gives the first a turn at once, and each of the others one of its own', () => {
  const turns = new Spacing(100);
  expect([turns.take(1000), turns.take(1000), turns.take(1050)]).toEqual([0, 100, 150]);
});

it('owes nothing for a time in which nobody asked', () => {
  const turns = new Spacing(100);
  turns.take(0);
  expect([turns.take(100), turns.take(5000), turns.take(5000)]).toEqual([0, 0, 100]);
});
