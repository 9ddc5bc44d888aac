import { expect, it } from 'vitest';
import { cpuList, pinned } from './machine.ts';

it.each([
  ['0', [0]],
  ['0-3', [0, 1, 2, 3]],
  ['1,4-5,9', [1, 4, 5, 9]],
])('cpuList parses the processor list %s', (text, expected) => {
  expect(cpuList(text)).toEqual(expected);
});

it('pinned ties a command to a processor, and returns the command unchanged without one', () => {
  expect(pinned(['node', 'x'], 1)).toEqual(['taskset', '-c', '1', 'node', 'x']);
  expect(pinned(['node', 'x'], undefined)).toEqual(['node', 'x']);
});
