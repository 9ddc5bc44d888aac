import { expect, it } from 'vitest';
import { isSnowflake } from '../../src/base/snowflake.ts';

it.each([
  ['1', true],
  ['9223372036854775807', true],
  ['9223372036854775808', false],
  ['0', false],
  ['01', false],
  ['-1', false],
  ['1.0', false],
  ['', false],
  [' 1', false],
  ['1\n', false],
  ['12345678901234567890', false],
  [1, false],
  [null, false],
])('isSnowflake(%j) returns %s', (value, expected) => {
  expect(isSnowflake(value)).toBe(expected);
});
