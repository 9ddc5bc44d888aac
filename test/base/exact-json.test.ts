import { describe, expect, it } from 'vitest';
import { largeNumberIn, parseExact, parseLargeAsText, printExact } from '../../src/base/exact-json.ts';

describe('JSON with exact numbers', () => {
  it.each([
    '{"id":207646673902501889,"list":[-12345678901234567890,1,1.5]}',
    '[1234567890123456]',
    '12345678901234567891',
    '{"a":"207646673902501889","b":"x, 1234567890123456789"}',
    '["\uE000","\uE000123","\uE000\uE0001",1234567890123456789,"a \\"\uE0001\\""]',
    '{"\uE0001":1,"n":{"deep":[9007199254740993]}}',
    '{"text":"\\"quoted\\" \\\\","id":9007199254740993}',
  ])('prints the same text that was parsed: %s', (json) => {
    expect(printExact(parseExact(json))).toBe(json);
  });
  it('parses an escaped U+E000 mark as the mark itself', () => {
    expect(printExact(parseExact('["\\uE000123",9007199254740993]'))).toBe('["\uE000123",9007199254740993]');
  });
  it('parses numbers that fit a double as numbers', () => {
    expect(parseExact('{"n":123456789012345,"big":9007199254740993}')).toMatchObject({
      n: 123_456_789_012_345,
    });
  });
  it('parses strings of any length', () => {
    const texts = JSON.stringify(['x'.repeat(12_000_000), '"'.repeat(200_000)]);
    const json = `${texts.slice(0, -1)},9007199254740993]`;
    expect(printExact(parseExact(json)) === json).toBe(true);
    expect(parseLargeAsText(json)).toHaveLength(3);
  });
  it('throws a SyntaxError for invalid JSON', () => {
    for (const text of ['', '{', '[01234567890123456789]', '12345678901234567890x', '{12345678901234567:1}'])
      for (const parse of [parseExact, parseLargeAsText]) expect(() => parse(text)).toThrow(SyntaxError);
  });
  // Quadratic time in the length of such a text: minutes for this one.
  it('throws a SyntaxError for an unterminated string with any number of escaped quotes', () => {
    const text = `[12345678901234567890,"${'\\"'.repeat(300_000)}`;
    for (const parse of [parseExact, parseLargeAsText]) expect(() => parse(text)).toThrow(SyntaxError);
  });
  it('distinguishes a large number parsed as text from a string', () => {
    const [number, text, mark] = parseExact('[9007199254740993,"9007199254740993","\uE0001"]') as unknown[];
    expect([number, text, mark].map(largeNumberIn)).toEqual([9007199254740992, undefined, undefined]);
  });
  it('prints undefined as JSON.stringify does', () => {
    expect(printExact(undefined)).toBeUndefined();
  });
  it('returns large numbers as strings of their digits', () => {
    expect(parseLargeAsText('{"client_id":207646673902501889}')).toEqual({ client_id: '207646673902501889' });
  });
});
