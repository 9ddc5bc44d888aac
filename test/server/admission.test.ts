import { expect, it } from 'vitest';
import { Admission } from '../../src/server/admission.ts';
import type { Connection } from '../../src/wire/connection.ts';

const from = (pid?: number): Connection =>
  ({ kind: 'ipc', ...(pid === undefined ? {} : { peer: { pid, uid: 1000 } }) }) as Connection;
const rate = { burst: 2000, perSecond: 500 };

it('T44 lets 2,000 connects of one process in at once, and the next wait their turn', () => {
  const admission = new Admission(rate);
  for (let i = 0; i < 2000; i++) expect(admission.delayOf(from(7), 0)).toBe(0);
  expect(admission.delayOf(from(7), 0)).toBe(2);
  expect(admission.delayOf(from(7), 0)).toBe(4);
  // Two were owed; a second pays 500.
  for (let i = 0; i < 498; i++) expect(admission.delayOf(from(7), 1000)).toBe(0);
  expect(admission.delayOf(from(7), 1000)).toBe(2);
});

it('counts each process by itself, and none that the system does not name', () => {
  const admission = new Admission({ burst: 1, perSecond: 1 });
  expect(admission.delayOf(from(7), 0)).toBe(0);
  expect(admission.delayOf(from(8), 0)).toBe(0);
  expect(admission.delayOf(from(7), 0)).toBe(1000);
  for (const unnamed of [undefined, 0]) {
    for (let i = 0; i < 10; i++) expect(admission.delayOf(from(unnamed), 0)).toBe(0);
  }
});

it('forgets calm processes once many are known, and never one that still owes', () => {
  const admission = new Admission({ burst: 1, perSecond: 0.001 });
  admission.delayOf(from(1), 0);
  expect(admission.delayOf(from(1), 0)).toBeGreaterThan(0);
  for (let pid = 2; pid < 2000; pid++) admission.delayOf(from(pid), 0);
  expect(admission.delayOf(from(1), 0)).toBeGreaterThan(0);
});
