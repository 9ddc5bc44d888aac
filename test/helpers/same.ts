import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';

// For what is compared in thousands of rounds: an assertion takes longer than most comparisons, so it is made only of values
// that differ, to judge and to print them.

/** `expect(actual).toStrictEqual(expected)`. */
export function expectSame(actual: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(actual, expected)) expect(actual).toStrictEqual(expected);
}

/** `expect(actual).toEqual(expected)`. */
export function expectEqual(actual: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(actual, expected)) expect(actual).toEqual(expected);
}
