import { expect, it } from 'vitest';
import * as z from 'zod';
import { moment, set, trimmedText } from '../../../src/emulator/api/fields.ts';

it.each(['2027-02-29T00:00:00Z', '2027-02-30T12:00:00+01:00', '2027-04-31T00:00:00', '2027-13-01T00:00:00Z'])(
  'moment() refuses a date that does not exist: %s',
  (text) => {
    expect(moment().safeParse(text).success).toBe(false);
  },
);

it('moment() uses the time zone of the text, or UTC', () => {
  expect(moment().parse('2028-02-29T00:30:00+01:00')).toBe(Date.UTC(2028, 1, 28, 23, 30));
  expect(moment().parse('2027-01-01T00:00:00')).toBe(Date.UTC(2027, 0, 1));
});

it('trimmedText() counts and returns a text without the white space at its ends', () => {
  expect(trimmedText(3).parse('\n  a b \t')).toBe('a b');
  expect(trimmedText(3).parse('   ')).toBe('');
  expect(trimmedText(3).safeParse(' abcd ').success).toBe(false);
});

it('set() refuses a value twice, and a length outside of its limits', () => {
  const numbers = set(z.int(), 1, 3);
  expect(numbers.parse([1, 2, 3])).toEqual([1, 2, 3]);
  for (const wrong of [[1, 2, 1], [], [1, 2, 3, 4]]) expect(numbers.safeParse(wrong).success).toBe(false);
});
