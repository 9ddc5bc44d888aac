import { describe, expect, it } from 'vitest';
import type { ZodType } from 'zod';
import {
  anyNumber,
  anyText,
  between,
  byId,
  choice,
  count,
  derived,
  filledList,
  flag,
  integer,
  internalValue,
  json,
  list,
  many,
  matching,
  moment,
  numberOrName,
  optional,
  or,
  orNull,
  permissions,
  position,
  section,
  snowflake,
  table,
  text,
  textOrEmpty,
  textOrNumber,
  texts,
  textThat,
  userOrMe,
  userOrMeOrNobody,
  whole,
  yesOrNo,
} from '../../../../src/emulator/kernel/state/schema-parts.ts';

/** First fault of a value. */
function fault(schema: ZodType, value: unknown): { readonly path: PropertyKey[]; readonly message: string } {
  const [issue] = schema.safeParse(value).error?.issues ?? [];
  if (issue === undefined) throw new Error(`${JSON.stringify(value)} is accepted`);
  return { path: issue.path, message: issue.message };
}

const x = (length: number) => 'x'.repeat(length);
const sizes = { small: 1, LARGE: 7 };

/** Schemas are made in the tests, and not while this file loads. */
interface Row {
  readonly part: string;
  readonly make: () => ZodType;
  /** Values that are stored as they are. */
  readonly takes: readonly unknown[];
  readonly refuses: readonly unknown[];
}

const rows: readonly Row[] = [
  {
    part: 'snowflake',
    make: snowflake,
    takes: ['1', '207646673902501888', '9223372036854775807'],
    refuses: ['', '0', '01', 'x', '9223372036854775808', 1, 1n, null],
  },
  { part: 'text(3)', make: () => text(3), takes: ['x', 'xxx'], refuses: ['', 'xxxx', 1, null] },
  { part: 'textOrEmpty(3)', make: () => textOrEmpty(3), takes: ['', 'xxx'], refuses: ['xxxx', 1, null] },
  { part: 'matching', make: () => matching(/^a+$/, '!'), takes: ['a', 'aa'], refuses: ['', 'b', 1] },
  {
    part: 'textThat',
    make: () => textThat((value) => value.startsWith('a'), 3, '!'),
    takes: ['a', 'abc'],
    refuses: ['', 'b', 'abcd', 1],
  },
  { part: 'userOrMe', make: userOrMe, takes: ['', 'heron', x(64)], refuses: [x(65), null, 1] },
  {
    part: 'userOrMeOrNobody',
    make: userOrMeOrNobody,
    takes: ['', null, 'heron', x(64)],
    refuses: [x(65), 1],
  },
  { part: 'internalValue', make: internalValue, takes: [1, 'x', null, { a: [] }], refuses: [] },
  { part: 'yesOrNo', make: yesOrNo, takes: [true, false], refuses: [undefined, null, 0, 'true'] },
  { part: 'flag', make: () => flag(true), takes: [true, false], refuses: [null, 1, 'true'] },
  { part: 'count(3)', make: () => count(3), takes: [0, 1, 3], refuses: [-1, 4, 0.5, '1', null] },
  { part: 'whole(-2, 3)', make: () => whole(-2, 3), takes: [-2, 0, 3], refuses: [-3, 4, 0.5, '1'] },
  { part: 'integer', make: integer, takes: [-9, 0, 2 ** 53 - 1], refuses: [0.5, 2 ** 53, '1', null] },
  {
    part: 'between(-1, 1)',
    make: () => between(-1, 1),
    takes: [-1, 0.25, 1],
    refuses: [-1.1, 1.1, Number.NaN, '0'],
  },
  { part: 'anyNumber', make: anyNumber, takes: [-1.5, 0, 1e300], refuses: [Number.NaN, '1', null] },
  {
    part: 'textOrNumber(3)',
    make: () => textOrNumber(3),
    takes: ['', 'xxx', 0, -1.5, 4000],
    refuses: ['xxxx', Number.NaN, Number.POSITIVE_INFINITY, null, [], 1n],
  },
  { part: 'anyText', make: anyText, takes: ['', x(100_000)], refuses: [1, null] },
  { part: 'choice', make: () => choice('a', 'b'), takes: ['a', 'b'], refuses: ['', 'c', 0, null] },
  {
    part: 'list of at most 2',
    make: () => list(text(1), 2),
    takes: [[], ['a'], ['a', 'b']],
    refuses: [['a', 'b', 'c'], [''], 'a', null],
  },
  {
    part: 'many of at most 2',
    make: () => many(text(1), 2),
    takes: [[], ['a'], ['a', 'b']],
    refuses: [undefined, ['a', 'b', 'c'], [''], 'a', null],
  },
  {
    part: 'filledList of at most 2',
    make: () => filledList(text(1), 2, ['z']),
    takes: [['a'], ['a', 'b']],
    refuses: [[], ['a', 'b', 'c'], [''], 'a', null],
  },
  {
    part: 'byId',
    make: () => byId(count(9)),
    takes: [{}, { 1: 2, 10: 9 }],
    refuses: [{ x: 1 }, { 1: 10 }, [], null],
  },
  {
    part: 'texts of at most 2, in names of 3 and texts of 4 characters',
    make: () => texts(2, 3, 4),
    takes: [{}, { a: '' }, { aaa: 'xxxx', b: 'x' }],
    refuses: [{ a: '', b: '', c: '' }, { '': 'x' }, { aaaa: 'x' }, { a: 'xxxxx' }, { a: 1 }, [], undefined],
  },
  {
    part: 'texts without a limit of their own',
    make: () => texts(2, 3),
    takes: [{ aaa: 'xxx' }],
    refuses: [{ aaa: 'xxxx' }, { aaaa: 'xxx' }],
  },
  { part: 'orNull', make: () => orNull(text(1)), takes: [null, 'x'], refuses: ['', 'xx', 1] },
  { part: 'or', make: () => or(text(1), 'z'), takes: ['x'], refuses: [null, '', 'xx'] },
  { part: 'optional', make: () => optional(text(1)), takes: [undefined, 'x'], refuses: [null, '', 'xx'] },
  { part: 'position(3)', make: () => position(3), takes: [0, 3], refuses: [-1, 4, 0.5, null] },
  {
    part: 'numberOrName',
    make: () => numberOrName(sizes),
    takes: [1, 7],
    refuses: [0, 2, '1', '', 'Small', 'toString', null, undefined, [1], ['small']],
  },
  {
    part: 'permissions',
    make: () => permissions('0'),
    takes: ['0', '1024'],
    refuses: ['', '01', 'VIEW_CHANNEL', '140737488355328', 1024, ['ADMIN'], [1], null],
  },
  {
    part: 'moment',
    make: moment,
    takes: ['2030-01-31T12:00:00Z', '2030-01-31T12:00:00.123+02:00'],
    refuses: ['2030-01-31', '2030-02-31T12:00:00Z', '12:00', 1_900_000_000, null, new Date(Number.NaN)],
  },
  {
    part: 'json of at most 10 characters',
    make: () => json(10),
    takes: [{}, { a: 1 }, { a: null }, { ab: [1] }],
    refuses: [
      { abc: [1, 2] },
      [],
      null,
      'x',
      1,
      undefined,
      { a: 1n },
      { a: Number.NaN },
      new Date(0),
      { a: new Date(0) },
    ],
  },
];

it.each(rows)('$part takes every value within its limits as it is', ({ make, takes }) => {
  for (const value of takes) expect(make().safeParse(value)).toEqual({ success: true, data: value });
});

it.each(rows)('$part refuses every value beyond its limits or of another type', ({ make, refuses }) => {
  const accepted = refuses.filter((value) => make().safeParse(value).success);
  expect(accepted).toEqual([]);
});

it.each<[part: string, make: () => ZodType, stored: unknown]>([
  ['userOrMe', userOrMe, ''],
  ['userOrMeOrNobody', userOrMeOrNobody, ''],
  ['flag(true)', () => flag(true), true],
  ['flag(false)', () => flag(false), false],
  ['list', () => list(text(1), 2), []],
  ['filledList', () => filledList(text(1), 2, ['z']), ['z']],
  ['byId', () => byId(text(1)), {}],
  ['orNull', () => orNull(text(1)), null],
  ['or', () => or(text(1), 'z'), 'z'],
  ['optional', () => optional(text(1)), undefined],
  ['position', () => position(3), -1],
  ['permissions', () => permissions('1024'), '1024'],
  ['section', () => section({ a: flag(true), b: or(text(9), 'x') }), { a: true, b: 'x' }],
])('%s has its default for an absent value', (_, make, stored) => {
  expect(make().safeParse(undefined)).toEqual({ success: true, data: stored });
});

it.each<[part: string, make: () => ZodType]>([
  ['snowflake', snowflake],
  ['text', () => text(3)],
  ['textOrEmpty', () => textOrEmpty(3)],
  ['count', () => count(3)],
  ['integer', integer],
  ['between', () => between(0, 1)],
  ['choice', () => choice('a', 'b')],
  ['moment', moment],
  ['table', () => table({ a: flag(true) })],
])('%s is required', (_, make) => {
  expect(make().safeParse(undefined).success).toBe(false);
});

it.each<[written: unknown, make: () => ZodType, stored: unknown]>([
  ['small', () => numberOrName(sizes), 1],
  ['LARGE', () => numberOrName(sizes), 7],
  [['VIEW_CHANNEL', 'SEND_MESSAGES'], () => permissions('0'), '3072'],
  [[], () => permissions('1024'), '0'],
  [new Date('2030-01-31T12:00:00Z'), moment, '2030-01-31T12:00:00.000Z'],
  [{ a: 2 }, () => derived(table({ a: count(9) }), ({ a }) => ({ a, twice: a * 2 })), { a: 2, twice: 4 }],
])('%j is stored in the one form that a row has', (written, make, stored) => {
  expect(make().parse(written)).toEqual(stored);
});

it('a table of limited JSON has 65,536 characters unless another limit is stated', () => {
  const largest = { a: x(65_536 - '{"a":""}'.length) };
  expect(json().safeParse(largest).success).toBe(true);
  expect(fault(json(), { a: `${largest.a}x` }).message).toContain('65536 characters');
});

describe('the message of a refusal', () => {
  it.each<[title: string, value: unknown, make: () => ZodType, message: string]>([
    ['an id as a number', 1, snowflake, 'must be in quotes: an id does not fit a number'],
    ['an id as a large integer', 1n, snowflake, 'must be in quotes: an id does not fit a number'],
    [
      'a text that is no id',
      'x',
      snowflake,
      'must be a snowflake: a decimal number from 1 to 9223372036854775807, in quotes',
    ],
    ['a text of another form', 'b', () => matching(/^a+$/, 'must be made of a'), 'must be made of a'],
    [
      'a text that fails its check',
      'b',
      () => textThat((value) => value === 'a', 3, 'must be a'),
      'must be a',
    ],
    [
      'a list instead of an object',
      [],
      () => json(9),
      'must be an object of texts, numbers, lists and the like, and at most 9 characters of JSON',
    ],
    [
      'neither text nor number',
      null,
      () => textOrNumber(3),
      'must be a number, or a text of at most 3 characters',
    ],
    ['too many texts', { a: '', b: '', c: '' }, () => texts(2, 3), 'must have 2 entries at most'],
    [
      'a name that no number has',
      'medium',
      () => numberOrName(sizes),
      'must be one of small, LARGE, or their number: 1, 7',
    ],
    ['a text that is no moment', 'noon', moment, 'must be a time such as 2030-01-31T12:00:00Z'],
  ])('says what the value must be: %s', (_, value, make, message) => {
    expect(fault(make(), value).message).toBe(message);
  });

  it('leaves an id of no type at all to the schema library', () => {
    expect(fault(snowflake(), null).message).not.toContain('quotes');
  });

  it.each([
    ['a near name', ['VIEW_CHANNEL', 'VIEW_CHANEL'], '; "VIEW_CHANEL" is none. Did you mean "VIEW_CHANNEL"?'],
    ['a name far from all', ['qqq'], '; "qqq" is none.'],
    ['a hostile name', [x(10_000)], `; "${x(40)}" is none.`],
    ['an item that is no text', [1, 'ADMIN'], ''],
    ['bits that nobody has', '140737488355328', ''],
    ['a number', 8, ''],
  ])('for permissions names the unknown one: %s', (_, value, ending) => {
    expect(fault(permissions('0'), value).message).toBe(
      `must be a list of permissions such as ["VIEW_CHANNEL"], or their bits in quotes${ending}`,
    );
  });

  it.each([
    ['table', () => table({ name: text(9), topic: text(9) })],
    ['section', () => section({ name: or(text(9), ''), topic: or(text(9), '') })],
  ])('of a %s for an unknown key names the nearest known one', (_, make) => {
    const { message } = fault(make(), { name: 'x', topic: 'x', topik: 'x', other: 'x' });
    expect(message).toBe('unknown key "topik"; the nearest known key is "topic"');
  });

  it('of a table for a wrong value names its field, in the words of the schema library', () => {
    const { path, message } = fault(table({ name: text(9) }), { name: 1 });
    expect(path).toEqual(['name']);
    expect(message).not.toContain('unknown key');
  });
});
