import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isSameJson } from '../../../src/emulator/kernel/same-json.ts';

const asSent = (value: unknown): unknown => JSON.parse(JSON.stringify({ value })) as unknown;
const values = fc.jsonValue({ maxDepth: 3 });

it('isSameJson agrees with a comparison of the JSON for any two values', () => {
  fc.assert(
    fc.property(values, values, (a, b) => {
      expect(isSameJson(a, b)).toBe(isDeepStrictEqual(asSent(a), asSent(b)));
      expect(isSameJson(a, structuredClone(a))).toBe(true);
    }),
    { numRuns: 500 },
  );
});

it.each([
  [{ a: 1, b: undefined }, { a: 1 }, true],
  [{ a: 1 }, { b: undefined, a: 1 }, true],
  [{ a: 1, b: 2 }, { b: 2, a: 1 }, true],
  [{ a: 1 }, { a: 1, b: null }, false],
  [{ toString: 1 }, {}, false],
  [{}, [], false],
  [[1, 2], [1, 2, 3], false],
  [null, {}, false],
])('isSameJson of %j and %j is %j', (a, b, same) => {
  expect(isSameJson(a, b)).toBe(same);
  expect(isSameJson(b, a)).toBe(same);
});
