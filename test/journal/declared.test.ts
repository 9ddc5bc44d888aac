import { describe, expect, it } from 'vitest';
import type { SchemaNode } from '../../src/base/schema-node.ts';
import { declaredMembers, declaredText, standsFor, takesText } from '../../src/journal/declared.ts';
import { STREAM_NOTICE } from '../../src/wire/streams.ts';

const id: SchemaNode = { type: 'string', format: 'snowflake' };
const schema: SchemaNode = {
  type: 'object',
  $defs: { user: { type: 'object', properties: { id, name: { type: 'string' } } } },
  properties: {
    id,
    user: { $ref: '#/$defs/user' },
    count: { type: 'integer' },
    ratio: { type: 'number' },
    flag: { type: 'boolean' },
    kind: { const: 'a' },
    choice: { enum: ['b', 7] },
    either: { anyOf: [{ type: 'string' }, { type: 'integer' }] },
    many: { type: ['string', 'number'] },
    any: {},
    list: { type: 'array', items: { type: 'string' } },
    pair: { type: 'array', prefixItems: [{ type: 'integer' }] },
    map: { type: 'object', additionalProperties: { type: 'string' } },
    error: { type: 'string', format: 'sentence' },
    nonce: { type: 'string' },
    access_token: { type: 'string' },
    codes: { type: 'array', items: { type: 'string' } },
    tickets: { type: 'object', additionalProperties: { type: 'string' } },
  },
};

const shown = (value: unknown): unknown => JSON.parse(declaredText(JSON.stringify(value), schema));

describe('declaredText', () => {
  it.each<[string, unknown, unknown]>([
    [
      'declared texts and numbers',
      { count: 1, ratio: 1.5, flag: true },
      { count: 1, ratio: 1.5, flag: true },
    ],
    [
      'a member that is declared elsewhere',
      { user: { id: '7', name: 'n', count: 1 } },
      { user: { id: '7', name: 'n', count: 'number' } },
    ],
    [
      'a number of the wrong type',
      { kind: 12, choice: 1.5, user: 5, either: 1.5, many: [1], list: ['a', 1], pair: [1, 2.5] },
      { kind: 12, choice: 1.5, user: 5, either: 1.5, many: ['number'], list: ['a', 1], pair: [1, 2.5] },
    ],
    ['an id that is a number', { id: 12, user: { id: 0, name: -1 } }, { id: 12, user: { id: 0, name: -1 } }],
    [
      'no number in place of a secret',
      { access_token: 123456, codes: [123456], tickets: { any: 123456 } },
      { access_token: '[hidden]', codes: ['[hidden]'], tickets: { any: '[hidden]' } },
    ],
    [
      'plain words of another type',
      { count: 'yesterday', user: 'a b', list: 'def' },
      { count: 'yesterday', user: 'a b', list: 'def' },
    ],
    [
      'no other text of another type',
      { count: 'a1b2', user: 'b=c', list: 'd'.repeat(25), codes: 'red' },
      { count: 'string(4)', user: 'string(3)', list: 'string(25)', codes: '[hidden]' },
    ],
    ['what reveals nothing', { x: null, y: true, z: '' }, { x: null, y: true, z: '' }],
    ['undeclared values', { x: 'abc', y: 1 }, { x: 'string(3)', y: 'number' }],
    ['constants', { kind: 'a', choice: 7 }, { kind: 'a', choice: 7 }],
    ['other values than the constants', { kind: 'bb', choice: 'b1' }, { kind: 'bb', choice: 'string(2)' }],
    ['each of several types', { either: 'a', many: 1 }, { either: 'a', many: 1 }],
    ['a member of any value', { any: 'abc' }, { any: 'string(3)' }],
    ['items', { list: ['a', 1], pair: [1, 'b'] }, { list: ['a', 1], pair: [1, 'b'] }],
    ['undeclared lists and objects', { x: [1, { y: 'z' }] }, { x: ['number', { y: 'string(1)' }] }],
    [
      'the keys of a map',
      { map: { en: 'a', 'es-419': 'b', 'pt-BR': 'c', '7': 'd', 'a b': 'e' } },
      {
        '7': undefined,
        map: { en: 'a', 'es-419': 'b', 'pt-BR': 'c', '7': 'd', '(key of 3 characters)': 'e' },
      },
    ],
    [
      'keys that could be a secret',
      { x1: 1, 'a-b': 2, _a: 3, A_b: 4 },
      { '(key of 2 characters)': 'number', '(key of 3 characters)': 'number', A_b: 'number' },
    ],
    [
      'a long key',
      { [`k${'x'.repeat(31)}`]: 1, [`k${'x'.repeat(32)}`]: 1 },
      { [`k${'x'.repeat(31)}`]: 'number', '(key of 33 characters)': 'number' },
    ],
    ['ids', { id: '12345678901234567890' }, { id: '12345678901234567890' }],
    ['several ids, and none', { user: { id: '1,2,3' }, id: '' }, { user: { id: '1,2,3' }, id: '' }],
    [
      'what is no id',
      { id: '123456789012345678901', user: { id: '1,' } },
      { id: 'string(21)', user: { id: 'string(2)' } },
    ],
    ['a secret by its name', { access_token: 'abc' }, { access_token: '[hidden]' }],
    ['a list of the whole', ['a'], ['string(1)']],
    ['a text of the whole', 'abc', 'string(3)'],
  ])('shows %s', (_what, value, expected) => {
    expect(shown(value)).toEqual(expected);
  });

  it.each([
    ['plain words', 'Invalid path: a/b, expected "x" (1 to 20).'],
    ['two spaces', 'a  b'],
    ['quotes around words', `'a' ("b")`],
  ])('shows a sentence of %s', (_what, error) => {
    expect(shown({ error })).toEqual({ error });
  });

  it.each([
    ['a word of letters and digits', 'the a1b2 fails', 'the string(4) fails'],
    ['a long word', `x ${'a'.repeat(25)}`, 'x string(25)'],
    ['a long number', `x ${'1'.repeat(21)}`, 'x string(21)'],
    ['a sign that no sentence has', 'a=b', 'string(3)'],
  ])('hides %s in a sentence', (_what, error, written) => {
    expect(shown({ error })).toEqual({ error: written });
  });

  it.each([
    ...['n1', 'a_b-c', '123456789012', '2026-01-02', '12:30:00.5', '0'.repeat(40)],
    ...['0123456789abcdef0123456789ABCDEF', '01234567-89ab-cdef-0123-456789abcdef'],
  ])('shows the nonce %s', (nonce) => {
    expect(shown({ nonce })).toEqual({ nonce });
  });

  it.each([
    ...['x'.repeat(13), 'a b', 'ü', '0'.repeat(41), '0123456789abcdef0123456789abcde'],
    ...['0123456789abcdef0123456789abcdef01234', '01234567-89ab-cdef-0123-456789abcdeg'],
  ])('hides the nonce %s', (nonce) => {
    expect(shown({ nonce })).toEqual({ nonce: `string(${nonce.length})` });
  });

  it('preserves the digits of a large number that is declared, and hides one that is not', () => {
    expect(
      declaredText('{"ratio":12345678901234567890,"x":12345678901234567890}', {
        properties: { ratio: { type: 'string' } },
      }),
    ).toBe('{"ratio":12345678901234567890,"x":"number"}');
  });

  it('examines 64 levels, and shows nothing below', () => {
    const nested = (levels: number): string => `${'['.repeat(levels)}"a"${']'.repeat(levels)}`;
    expect(declaredText(nested(64), undefined)).toContain('"string(1)"');
    expect(declaredText(nested(65), undefined)).toContain('"…"');
  });

  it.each([
    ['', ''],
    [STREAM_NOTICE, STREAM_NOTICE],
    ['{', '(not JSON, 1 characters)'],
  ])('writes the text %j as %j', (text, written) => {
    expect(declaredText(text, schema)).toBe(written);
    expect(declaredMembers(text, () => ({}))).toBe(written);
  });
});

describe('declaredMembers', () => {
  it('shows the members that are declared for this payload', () => {
    const text = '{"cmd":"A","args":{"id":"7","x":"y"},"other":"abc","constructor":"d"}';
    const declared = (payload: Readonly<Record<string, unknown>>) => ({
      cmd: { schema: { const: payload['cmd'] } },
      args: { schema },
      other: undefined,
    });
    expect(JSON.parse(declaredMembers(text, declared))).toEqual({
      cmd: 'A',
      args: { id: '7', x: 'string(1)' },
      other: 'string(3)',
      constructor: 'string(1)',
    });
  });

  it.each(['[1]', '"a"', '1', 'null'])('shows nothing of %s', (text) => {
    expect(declaredMembers(text, () => ({}))).toBe(`(not JSON, ${text.length} characters)`);
  });
});

describe('takesText', () => {
  it.each([
    ['either', 'word'],
    ['count', '12'],
    ['flag', 'true'],
    ['flag', 'FALSE'],
    ['flag', '0'],
    ['flag', '1'],
    ['kind', 'a'],
    ['choice', '7'],
    ['id', '12345678901234567890'],
    ['id', '1,2'],
    ['list', 'item'],
    ['pair', '7'],
  ])('accepts %s=%s', (name, text) => {
    expect(takesText(schema, name, text)).toBe(true);
  });

  it.each([
    ['unknown', 'word'],
    ['any', 'word'],
    ['user', 'word'],
    ['count', 'word'],
    ['count', '1.5'],
    ['count', '1x'],
    ['count', '-12'],
    ['count', '123456789012345678901'],
    ['flag', '2'],
    ['flag', 'truex'],
    ['flag', 'xtrue'],
    ['kind', 'b'],
    ['id', 'word'],
    ['either', 'a1b2c3'],
    ['pair', 'word'],
  ])('hides %s=%s', (name, text) => {
    expect(takesText(schema, name, text)).toBe(false);
  });

  it('accepts a text for the constant true alone', () => {
    const only = (value: boolean): SchemaNode => ({ properties: { flag: { const: value } } });
    expect([true, false].map((value) => takesText(only(value), 'flag', 'true'))).toEqual([true, false]);
  });

  it('checks the ids in a list', () => {
    const ids: SchemaNode = { properties: { ids: { type: 'array', items: id } } };
    expect(['1,2', 'word'].map((text) => takesText(ids, 'ids', text))).toEqual([true, false]);
  });
});

it.each([
  ['number', 1, true],
  ['number', '1', false],
  ['string(12)', 'a', true],
  ['string(12)', 1, false],
  ['string()', 'a', false],
  ['a string(1)', 'a', false],
  ['string(1) b', 'a', false],
  ['[hidden]', 'a', false],
  [1, 1, false],
  [1, 'a', false],
])('the text %j stands for %j: %s', (text, value, is) => {
  expect(standsFor(text, value)).toBe(is);
});
