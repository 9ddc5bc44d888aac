import { expect, it } from 'vitest';
import * as z from 'zod';
import { fieldsOf, valuesOf } from '../../src/console/page/views/operations/operation-form.ts';

const fields = fieldsOf(
  z.toJSONSchema(
    z.object({
      user: z.string(),
      count: z.optional(z.int()),
      on: z.boolean(),
      status: z.enum(['idle', 'dnd']),
      options: z.optional(z.array(z.string())),
      patch: z.optional(z.looseObject({})),
    }),
  ),
);

it('a form has a field of a suitable kind for each argument', () => {
  expect(fields.map(({ name, kind, isRequired, choices }) => [name, kind, isRequired, choices])).toEqual([
    ['user', 'text', true, undefined],
    ['count', 'number', false, undefined],
    ['on', 'json', true, ['true', 'false']],
    ['status', 'text', true, ['idle', 'dnd']],
    ['options', 'list', false, undefined],
    ['patch', 'json', false, undefined],
  ]);
});

it('a form converts typed text to arguments and omits empty fields', () => {
  const typed = { user: 'otter', count: '2', on: 'false', status: 'dnd', options: 'a, b', patch: '{"a":1}' };
  expect(valuesOf(fields, typed)).toEqual({
    user: 'otter',
    count: 2,
    on: false,
    status: 'dnd',
    options: ['a', 'b'],
    patch: { a: 1 },
  });
  expect(
    valuesOf(fields, { user: '', count: '', on: 'true', status: 'idle', options: '', patch: '' }),
  ).toEqual({
    user: '',
    on: true,
    status: 'idle',
  });
});

it('a form has one JSON field for arguments of several shapes', () => {
  const whole = fieldsOf(
    z.toJSONSchema(z.union([z.object({ preset: z.string() }), z.object({ id: z.string() })])),
  );
  expect(whole.map(({ name, kind }) => [name, kind])).toEqual([['arguments', 'json']]);
  expect(valuesOf(whole, { arguments: '{"preset":"streamkit"}' })).toEqual({ preset: 'streamkit' });
});

it('a form rejects a wrong value with the name of its field', () => {
  expect(() => valuesOf(fields, { user: 'otter', count: 'x' })).toThrow('count: "x" is not a number');
  expect(() => valuesOf(fields, { user: 'otter', patch: '{' })).toThrow('patch: "{" is not JSON');
});
