import { expect, it } from 'vitest';
import { present } from '../../../src/emulator/api/present.ts';

it('a value keeps its members at every depth, without those that are undefined', () => {
  const value = { a: undefined, b: null, c: [{ d: undefined, e: 0 }, [undefined, 'f']], g: { h: undefined } };
  const left = { b: null, c: [{ e: 0 }, [undefined, 'f']], g: {} };
  expect(present(value)).toStrictEqual(left);
});

it('a member with the name of the prototype stays a member', () => {
  const hostile = JSON.parse('{"__proto__": {"admin": true}, "a": {"__proto__": 1}}') as { admin?: boolean };
  const left = present(hostile);
  expect(left.admin).toBeUndefined();
  expect(Object.getPrototypeOf(left)).toBe(Object.prototype);
  expect(JSON.stringify(left)).toBe('{"__proto__":{"admin":true},"a":{"__proto__":1}}');
});
