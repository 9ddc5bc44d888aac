import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { schemaOf, TypeWriter } from '../../src/protocol/type-writer.ts';

const user = () => z.looseObject({ id: z.string(), name: z.string(), bot: z.boolean(), age: z.int() });

function writer(keysBesides = false): TypeWriter {
  const types = new TypeWriter({ User: [user, 'output', 'An account.'] }, { keysBesides });
  // Named once they have been written.
  Array.from(types.named());
  return types;
}

const written = (shape: z.ZodType, io: 'input' | 'output' = 'output', keysBesides = false) =>
  writer(keysBesides).write(schemaOf(shape, io), io);

describe('a type', () => {
  it.each([
    ['number', z.int()],
    ['number', z.number()],
    ['string', z.string()],
    ['boolean', z.boolean()],
    ['null', z.null()],
    ['unknown', z.unknown()],
    ["'a' | 'b'", z.enum(['a', 'b'])],
    [String.raw`'it\'s \"so\"'`, z.literal('it\'s "so"')],
    ['0 | 1', z.literal([0, 1])],
    ['true', z.literal(true)],
    ['string | null', z.nullable(z.string())],
    ['unknown', z.union([z.string(), z.unknown()])],
    ['string[]', z.array(z.string())],
    ['(string | null)[]', z.array(z.nullable(z.string()))],
    ["('a' | 'b')[]", z.array(z.enum(['a', 'b']))],
    ['unknown[]', z.array(z.unknown())],
    ['[string, number]', z.tuple([z.string(), z.number()])],
    ['{ a: string; b?: number }', z.object({ a: z.string(), b: z.optional(z.number()) })],
    ["{ 'a-b': string; $_1: string }", z.object({ 'a-b': z.string(), $_1: z.string() })],
    ['{ a: (string | null)[] }[]', z.array(z.object({ a: z.array(z.nullable(z.string())) }))],
    ['NoArgs', z.strictObject({})],
    ['Record<string, number>', z.record(z.string(), z.number())],
  ])('is %s', (text, shape) => {
    expect(written(shape)).toBe(text);
  });
  it('is read-only for values that a program passes in', () => {
    expect(written(z.array(z.string()), 'input')).toBe('readonly string[]');
    expect(written(z.tuple([z.string()]), 'input')).toBe('readonly [string]');
  });
  it('has an index signature for additional keys on request', () => {
    const shape = z.object({ a: z.string() }).catchall(z.number());
    expect(written(shape)).toBe('{ a: string }');
    expect(written(shape, 'output', true)).toBe('{ a: string; [key: string]: number }');
  });
  it('has the name of its shape: whole, partial or with additional members', () => {
    expect(written(user())).toBe('User');
    expect(written(z.array(user()))).toBe('User[]');
    expect(written(user().partial())).toBe('Partial<User>');
    expect(written(user().extend({ nick: z.optional(z.string()) }))).toBe('User & { nick?: string }');
    // Another direction, or a member of another type, is another shape.
    expect(written(user(), 'input')).toBe('{ id: string; name: string; bot: boolean; age: number }');
    expect(written(user().extend({ id: z.number() }))).toMatch(/^\{ id: number/);
    expect(written(user().partial().extend({ id: z.string() }))).toMatch(/^\{ id: string; name\?: string/);
    expect(written(user().omit({ id: true }))).toMatch(/^\{ name: string/);
  });
  it('that is declared by hand has its title', () => {
    expect(writer().write({ title: 'Hand', type: 'string' }, 'output')).toBe('Hand');
  });
  it('that is unknown throws an error', () => {
    expect(() => writer().write({ type: 'date' }, 'output')).toThrow('schema type date');
  });
});

it.each([
  [false, ''],
  [true, '  [key: string]: unknown;\n'],
])('the declaration of a named shape lists its members, with additional keys: %s', (keysBesides, line) => {
  const types = new TypeWriter({ User: [user, 'output', 'An account.'] }, { keysBesides });
  const members = '  id: string;\n  name: string;\n  bot: boolean;\n  age: number;\n';
  expect([...types.named()]).toEqual([`/** An account. */\nexport interface User {\n${members}${line}}\n`]);
});
