import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { compile, REJECTED } from '../../src/base/compile.ts';
import type { RecordKind } from '../../src/emulator/kernel/state/record.ts';
import * as parts from '../../src/emulator/kernel/state/schema-parts.ts';
import { kinds } from '../../src/emulator/schema.ts';
import { commands } from '../../src/protocol/registry.ts';
import { rounds } from '../helpers/rounds.ts';
import { expectSame } from '../helpers/same.ts';

/** What a schema gives out, or that it refuses; the compiled check has to say the same. */
function byZod(schema: z.ZodType, value: unknown): unknown {
  const parsed = schema.safeParse(value);
  return parsed.success ? parsed.data : REJECTED;
}

/** Values at and around every bound that a shape of ours has, of the right and of every wrong kind. */
const strings = fc.oneof(
  fc.constantFrom(
    '',
    'x',
    'xx',
    '1',
    '207646673902501888',
    'https://a.test/b',
    '2030-01-31T12:00:00Z',
    '2030-02-31T12:00:00Z',
    'not a url',
    'ACTIVITIES',
    'user',
  ),
  fc.string({ maxLength: 3, unit: 'grapheme' }),
  fc.constantFrom(31, 32, 33, 127, 128, 129, 313, 314).map((length) => 'x'.repeat(length)),
  fc.constantFrom(15, 16, 17, 63, 64, 65).map((length) => '\u{1f309}'.repeat(length)),
);
const numbers = fc.oneof(
  fc.integer({ min: -3, max: 5 }),
  fc.constantFrom(0.5, -0, 100, 101, 200, 201, 1e9, 2 ** 53, 1e308 * 10, -101),
);
const leaves = fc.oneof(strings, numbers, fc.constantFrom<unknown>(null, true, false, [], {}));

/** Something in the form of a schema, more often right than wrong, with keys that nobody declared. */
function near(schema: z.ZodType, depth = 0): fc.Arbitrary<unknown> {
  const { def } = (schema as unknown as z.core.$ZodTypes)._zod;
  const wrong = { weight: 1, arbitrary: leaves };
  if (depth > 5) return leaves;
  const inner = (part: unknown): fc.Arbitrary<unknown> => near(part as z.ZodType, depth + 1);
  switch (def.type) {
    case 'object':
      return fc.oneof(wrong, {
        weight: 12,
        arbitrary: fc
          .tuple(
            fc.record(
              Object.fromEntries(Object.entries(def.shape).map(([key, part]) => [key, inner(part)])),
              {
                requiredKeys: [],
              },
            ),
            fc.dictionary(fc.constantFrom('unknown', 'constructor', 'toString'), leaves, { maxKeys: 1 }),
          )
          .map(([known, more]) => ({ ...known, ...more })),
      });
    case 'default':
    case 'prefault':
      return fc.oneof(
        { weight: 1, arbitrary: fc.constant(undefined) },
        { weight: 6, arbitrary: inner(def.innerType) },
      );
    case 'pipe':
      return inner(def.in);
    case 'optional':
    case 'nullable':
      return fc.oneof(
        { weight: 1, arbitrary: fc.constant(null) },
        { weight: 6, arbitrary: inner(def.innerType) },
      );
    case 'array':
      return fc.oneof(wrong, { weight: 6, arbitrary: fc.array(inner(def.element), { maxLength: 4 }) });
    case 'tuple':
      return fc.oneof(wrong, {
        weight: 6,
        arbitrary: fc.array(fc.oneof(...def.items.map(inner)), { maxLength: def.items.length + 1 }),
      });
    case 'literal':
    case 'enum': {
      const values = def.type === 'literal' ? def.values : Object.values(def.entries);
      return fc.oneof(wrong, { weight: 6, arbitrary: fc.constantFrom<unknown>(...values) });
    }
    case 'string':
      return fc.oneof(wrong, { weight: 8, arbitrary: strings });
    case 'number':
      return fc.oneof(wrong, { weight: 8, arbitrary: numbers });
    case 'boolean':
      return fc.oneof(wrong, { weight: 6, arbitrary: fc.boolean() });
    default:
      return leaves;
  }
}

describe('a compiled check', () => {
  it.each(Object.keys(commands))('matches the zod schema for arguments of %s', (cmd) => {
    const command = commands[cmd as keyof typeof commands];
    const schema = command.args() as z.ZodType;
    fc.assert(
      fc.property(near(schema), (value) => {
        expectSame(command.accept()(value), byZod(schema, value));
      }),
      { numRuns: rounds({ few: 20, many: 60 }) },
    );
  });

  it('is compared on accepted and on rejected values', () => {
    const schema = commands.SET_ACTIVITY.args() as z.ZodType;
    const outcomes = fc.sample(near(schema), { numRuns: 400, seed: 1 }).map((value) => byZod(schema, value));
    const accepted = outcomes.filter((outcome) => outcome !== REJECTED).length;
    expect(accepted).toBeGreaterThan(10);
    expect(accepted).toBeLessThan(390);
  });

  it.each(Object.values<RecordKind>(kinds))('matches the zod schema for records of $name', (kind) => {
    const schema = kind.schema(parts);
    const check = compile(schema);
    fc.assert(
      fc.property(near(schema), (value) => {
        expectSame(check(value), byZod(schema, value));
      }),
      { numRuns: rounds({ few: 20, many: 60 }) },
    );
  });

  const pieces = fc.constantFrom(
    ...[
      'http',
      'https',
      'ftp',
      '://',
      ':',
      '/',
      '?',
      '#',
      '.',
      '-',
      '@',
      '%',
      '%41',
      '\\',
      '[',
      ']',
      ' ',
      '\t',
      '\n',
    ],
    ...[
      'a',
      'b1',
      '1',
      '0x7f',
      '127',
      '256',
      '65536',
      '8080',
      'xn--',
      'xn--a',
      'example',
      'test',
      'é',
      '\u{1f309}',
    ],
  );
  it('accepts the same URLs as zod and returns equal values', () => {
    const check = compile(z.url());
    const address = fc.array(pieces, { maxLength: 8 }).map((all) => all.join(''));
    fc.assert(
      fc.property(fc.oneof(address, fc.webUrl(), fc.webUrl({ withFragments: true })), (rest) => {
        for (const value of [rest, `https://${rest}`, `https://a.test/${rest}`, `http://a.${rest}`])
          expectSame(check(value), byZod(z.url(), value));
      }),
      { numRuns: rounds({ few: 200, many: 1000 }) },
    );
  });

  it('returns the input object only in mode "same" and only when a copy would equal it', () => {
    const schema = z.object({
      a: z.optional(z.array(z.object({ b: z.number() }))),
      toString: z.optional(z.string()),
    });
    const exact = { a: [{ b: 1 }] };
    const more = { a: [{ b: 1 }, { b: 2, c: 3 }], d: 4 };
    expect(compile(schema, 'same')(exact)).toBe(exact);
    expect(compile(schema)(exact)).not.toBe(exact);
    expect(compile(schema, 'same')(more)).toStrictEqual({ a: [{ b: 1 }, { b: 2 }] });
    expect(more).toStrictEqual({ a: [{ b: 1 }, { b: 2, c: 3 }], d: 4 });
    const proto: unknown = JSON.parse('{"a":[{"b":1,"__proto__":{"x":1}}]}');
    expect(compile(schema, 'same')(proto)).toStrictEqual(exact);
  });

  const shapes: readonly (readonly [string, z.ZodType])[] = [
    [
      'a transformed text',
      z.pipe(
        z.string(),
        z.transform((text) => text.split(' ')),
      ),
    ],
    ['a catch-all', z.looseObject({ a: z.number() })],
    ['no other key', z.strictObject({ a: z.number() })],
    ['a record', z.record(z.string(), z.number())],
    ['a default', z.object({ a: z.number().default(7) })],
    ['a refinement that waits', z.string().check(z.refine((text) => text !== 'x', { when: () => true }))],
    ['a trimmed text', z.string().trim()],
    ['a bound of length', z.string().check(z.minLength(2), z.maxLength(3))],
    ['a default list', z.object({ a: z._default(z.array(z.number()), []) })],
    ['an optional default', z.object({ a: z.optional(z._default(z.number(), 7)) })],
    ['a default of an optional', z.object({ a: z._default(z.optional(z.number()), 7) })],
    ['a section', z.object({ a: z.prefault(z.strictObject({ b: z._default(z.number(), 7) }), {}) })],
    ['a pattern', z.string().check(z.regex(/^x+$/g))],
    ['a moment', z.iso.datetime({ offset: true })],
    ['an address', z.url()],
    ['a custom value', z.custom<string>((value) => value === 'x')],
    [
      'a transformation that refuses',
      z.pipe(
        z.string(),
        z.transform((text, context) => {
          if (text !== 'x') context.issues.push({ code: 'custom', input: text });
          return text;
        }),
      ),
    ],
    ['a choice', z.union([z.literal('auto'), z.int().check(z.gte(0), z.lte(9))])],
    ['a list with a bound', z.array(z.string()).check(z.minLength(1), z.maxLength(2))],
  ];
  it.each(shapes)('matches the zod schema for compiled parts and for parts left to zod: %s', (_, schema) => {
    const check = compile(schema);
    fc.assert(
      fc.property(fc.oneof(near(schema), fc.jsonValue({ maxDepth: 2 })), (value) => {
        expectSame(check(value), byZod(schema, value));
      }),
      { numRuns: rounds({ few: 60, many: 200 }) },
    );
  });
});
