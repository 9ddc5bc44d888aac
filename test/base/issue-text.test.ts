import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { withIssueText } from '../../src/base/issue-text.ts';

function textOf(schema: z.ZodType, value: unknown): string | undefined {
  return schema.safeParse(value, withIssueText()).error?.issues[0]?.message;
}

describe('the text of a validation issue', () => {
  it.each<[string, z.ZodType, unknown, string]>([
    ['a missing text', z.string(), undefined, 'is missing'],
    ['a missing choice', z.enum(['a', 'b']), undefined, 'is missing'],
    ['a missing union', z.union([z.string(), z.number()]), undefined, 'is missing'],
    ['another type than text', z.string(), 7, 'must be a text'],
    ['no number', z.number(), 'x', 'must be a number'],
    ['NaN', z.number(), Number.NaN, 'must be a number'],
    ['a fraction', z.int(), 1.5, 'must be a whole number'],
    ['a list for an object', z.object({}), [], 'must be an object'],
    ['a text for a record', z.record(z.string(), z.string()), 'x', 'must be an object'],
    ['a text for a list', z.array(z.string()), 'x', 'must be an array'],
    ['a text for a boolean', z.boolean(), 'true', 'must be true or false'],
    ['a number below the least', z.number().min(1), 0, 'must be at least 1'],
    ['a number at an excluded edge', z.number().positive(), 0, 'must be more than 0'],
    ['a number above the most', z.number().max(9), 10, 'must be at most 9'],
    ['a number beyond an excluded edge', z.number().negative(), 0, 'must be less than 0'],
    ['a short text', z.string().min(1), '', 'must be at least 1 character'],
    ['a long text', z.string().max(3), 'long', 'must be at most 3 characters'],
    ['a text of another length', z.string().length(4), 'x', 'must be exactly 4 characters'],
    ['an empty list', z.array(z.string()).min(1), [], 'must be at least 1 entry'],
    ['a long list', z.array(z.string()).max(0), ['x'], 'must be at most 0 entries'],
    ['an unknown choice', z.enum(['a', 'b']), 'c', 'must be one of a, b'],
    ['another literal', z.literal(1), 2, 'must be 1'],
    ['another form', z.string().regex(/^\d+$/), 'x', 'must have the form /^\\d+$/'],
    ['no address', z.url(), 'x', 'must be a valid url'],
    ['no multiple', z.number().multipleOf(2), 3, 'must be a multiple of 2'],
    [
      'a member too many',
      z.strictObject({ word: z.string() }),
      { word: 'x', y: 1 },
      'must not have "y": not known here.',
    ],
    [
      'a misspelt member',
      z.strictObject({ word: z.optional(z.string()) }),
      { wrod: 'x' },
      'must not have "wrod": not known here. Did you mean "word"?',
    ],
    ['none of two types', z.union([z.string(), z.number()]), true, 'must be a text or a number'],
    [
      'none of two shapes',
      z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]),
      {},
      'has none of the forms that are known here',
    ],
    [
      'an unknown kind',
      z.discriminatedUnion('kind', [z.object({ kind: z.literal('a') }), z.object({ kind: z.literal('b') })]),
      { kind: 'c' },
      'must have a "kind" that is one of a, b',
    ],
    [
      'a wrong key',
      z.record(z.string().max(1), z.string()),
      { ab: 'x' },
      'must not have such a key: a key must be at most 1 character',
    ],
    ['what a refinement refuses', z.string().refine(() => false), 'x', 'is not valid'],
    ['a message of the schema', z.string('name it'), 7, 'name it'],
  ])('describes %s', (_, schema, value, text) => {
    expect(textOf(schema, value)).toBe(text);
  });

  it('uses the type names that a format configures', () => {
    const { error } = z.object({}).safeParse(1, withIssueText({ object: 'a table' }));
    expect(error?.issues[0]?.message).toBe('must be a table');
  });
});
