import { expect, it } from 'vitest';
import * as z from 'zod';
import { idList, maybe, snowflake } from '../../../src/emulator/api/fields.ts';
import { readJson } from '../../../src/emulator/api/read-json.ts';

const leaf = z.object({ id: maybe(snowflake()), value: z.number() });
const schema = z.object({
  id: snowflake(),
  users: idList(5),
  within: z.record(z.string(), z.discriminatedUnion('type', [leaf.extend({ type: z.literal(1) })])),
  metadata: z.unknown(),
});

it('readJson preserves the digits of numbers where the schema has an id, and no others', () => {
  const large = '400000000000000001';
  const text = `{"id":${large},"users":[${large},5],"within":{"a":{"type":1,"id":${large},"value":${large}}},"metadata":{"id":${large}},"__proto__":{"id":${large}}}`;
  expect(readJson(text, schema)).toEqual({
    id: large,
    users: [large, 5],
    within: { a: { type: 1, id: large, value: Number(large) } },
    metadata: { id: Number(large) },
    ['__proto__']: { id: Number(large) },
  });
});

it('readJson reads 64 levels and no more, and ignores brackets within a text', () => {
  const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
  expect(readJson(nested(64), z.unknown())).toHaveLength(1);
  expect(() => readJson(nested(65), z.unknown())).toThrow(SyntaxError);
  expect(() => readJson(nested(400_000), z.unknown())).toThrow(SyntaxError);
  const siblings = Array.from({ length: 100 }, () => ['[[[']);
  expect(readJson(JSON.stringify({ '\\"[': '{'.repeat(100), siblings }), z.unknown())).toMatchObject({
    siblings,
  });
});

it('readJson reads a text of many escapes in linear time, and refuses an unterminated text', () => {
  const quotes = '\\"'.repeat(200_000);
  const ids = '[[400000000000000001'.repeat(70);
  expect(readJson(JSON.stringify([quotes, ids]), z.unknown())).toEqual([quotes, ids]);
  expect(() => readJson(`["${quotes}`, z.unknown())).toThrow(SyntaxError);
});
