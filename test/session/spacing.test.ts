import { expect, it } from 'vitest';
import { Spacing } from '../../src/session/flow-control.ts';

it('Spacing returns a time of its own for each caller, and none for the first', () => {
  const turns = new Spacing(100);
  expect([turns.take(1000), turns.take(1000), turns.take(1050)]).toEqual([0, 100, 150]);
});

it('Spacing accumulates nothing while there are no callers', () => {
  const turns = new Spacing(100);
  turns.take(0);
  expect([turns.take(100), turns.take(5000), turns.take(5000)]).toEqual([0, 0, 100]);
});
