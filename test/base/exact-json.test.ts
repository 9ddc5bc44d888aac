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
  ])('is printed as it was read: %s', (json) => {
    expect(printExact(parseExact(json))).toBe(json);
  });
  it('reads an escaped mark as the mark', () => {
    expect(printExact(parseExact('["\\uE000123",9007199254740993]'))).toBe('["\uE000123",9007199254740993]');
  });
  it('leaves numbers that a double holds numbers', () => {
    expect(parseExact('{"n":123456789012345,"big":9007199254740993}')).toMatchObject({
      n: 123_456_789_012_345,
    });
  });
  it('is read whatever length its texts have', () => {
    const texts = JSON.stringify(['x'.repeat(12_000_000), '"'.repeat(200_000)]);
    const json = `${texts.slice(0, -1)},9007199254740993]`;
    expect(printExact(parseExact(json)) === json).toBe(true);
    expect(parseLargeAsText(json)).toHaveLength(3);
  });
  it('throws for what is no JSON', () => {
    for (const text of ['', '{', '[01234567890123456789]', '12345678901234567890x', '{12345678901234567:1}'])
      for (const parse of [parseExact, parseLargeAsText]) expect(() => parse(text)).toThrow(SyntaxError);
  });
  // Quadratic time in the length of such a text: minutes for this one.
  it('throws for a text without an end, however many escaped quotes it holds', () => {
    const text = `[12345678901234567890,"${'\\"'.repeat(300_000)}`;
    for (const parse of [parseExact, parseLargeAsText]) expect(() => parse(text)).toThrow(SyntaxError);
  });
  it('tells a number that was read as a text from a text', () => {
    const [number, text, mark] = parseExact('[9007199254740993,"9007199254740993","\uE0001"]') as unknown[];
    expect([number, text, mark].map(largeNumberIn)).toEqual([9007199254740992, undefined, undefined]);
  });
  it('prints undefined as JSON.stringify does', () => {
    expect(printExact(undefined)).toBeUndefined();
  });
  it('shows large numbers as their digits', () => {
    expect(parseLargeAsText('{"client_id":207646673902501889}')).toEqual({ client_id: '207646673902501889' });
  });
});
