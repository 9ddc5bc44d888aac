import { expect, it } from 'vitest';
import { cpuList, pinned } from './machine.ts';

it.each([
  ['0', [0]],
  ['0-3', [0, 1, 2, 3]],
  ['1,4-5,9', [1, 4, 5, 9]],
])('reads the processors of %s', (text, expected) => {
  expect(cpuList(text)).toEqual(expected);
});

it('ties a command to a processor, and leaves it alone without one', () => {
  expect(pinned(['node', 'x'], 1)).toEqual(['taskset', '-c', '1', 'node', 'x']);
  expect(pinned(['node', 'x'], undefined)).toEqual(['node', 'x']);
});
