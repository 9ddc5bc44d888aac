import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { check, isSame, type Schema } from '../../src/conformance/schema.ts';

describe('the schema check', () => {
  const broken: [string, Schema, unknown, string][] = [
    ['type', { type: 'string' }, 5, ''],
    ['one of several types', { type: ['string', 'null'] }, 5, ''],
    ['integer', { type: 'integer' }, 1.5, ''],
    ['an array is no object', { type: 'object' }, [], ''],
    ['const', { const: { a: 1 } }, { a: 2 }, ''],
    ['enum', { enum: [1, 2] }, 3, ''],
    ['required', { type: 'object', required: ['a'], properties: { a: {} } }, {}, '/a'],
    ['an inherited key is missing', { type: 'object', required: ['toString'] }, {}, '/toString'],
    ['properties', { type: 'object', properties: { a: { type: 'string' } } }, { a: 5 }, '/a'],
    [
      'additionalProperties',
      { type: 'object', properties: { a: {} }, additionalProperties: false },
      { b: 1 },
      '/b',
    ],
    ['items', { type: 'array', items: { type: 'string' } }, ['a', 5], '/1'],
    ['minItems', { type: 'array', minItems: 2, items: {} }, [1], ''],
    ['maxItems', { type: 'array', maxItems: 1, items: {} }, [1, 2], ''],
    ['minLength', { type: 'string', minLength: 2 }, 'a', ''],
    ['maxLength', { type: 'string', maxLength: 2 }, 'abc', ''],
    ['minimum', { type: 'number', minimum: 1 }, 0, ''],
    ['maximum', { type: 'number', maximum: 1 }, 2, ''],
    ['pattern', { type: 'string', pattern: '^[0-9]+$' }, 'a1', ''],
    ['anyOf', { anyOf: [{ type: 'string' }, { type: 'null' }] }, 5, ''],
    ['$ref', { $ref: '#/$defs/a', $defs: { a: { type: 'string' } } }, 5, ''],
  ];

  it.each(broken)('reports a broken %s', (_, schema, value, path) => {
    expect(check(schema, value)?.path).toBe(path);
  });

  it('reports nothing for a valid value', () => {
    const schema: Schema = {
      type: 'object',
      required: ['a'],
      properties: { a: { type: 'array', items: { type: 'integer', minimum: 0 } } },
      additionalProperties: { type: 'string' },
    };
    expect(check(schema, { a: [1, 2], b: 'x' })).toBeUndefined();
  });

  it('agrees with another validator', () => {
    const schemas = broken
      .filter(([name]) => !/inherited|array is no|integer/.test(name))
      .map(([, schema]) => schema);
    fc.assert(
      fc.property(fc.constantFrom(...schemas), fc.jsonValue({ maxDepth: 2 }), (schema, value) => {
        const ours = check(schema, value) === undefined;
        expect(ours).toBe(z.fromJSONSchema(schema as never).safeParse(value).success);
      }),
      { numRuns: 300 },
    );
  });
});

describe('isSame', () => {
  it('compares JSON values in any order of keys', () => {
    expect(isSame({ a: 1, b: [null, { c: 2 }] }, { b: [null, { c: 2 }], a: 1 })).toBe(true);
    expect(isSame({ a: 1 }, { a: 1, b: undefined })).toBe(false);
    expect(isSame([1, 2], [2, 1])).toBe(false);
    expect(isSame({ toString: 1 }, {})).toBe(false);
  });
});
