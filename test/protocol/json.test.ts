import { describe, expect, it } from 'vitest';
import { endOfString, isObject, parseJson } from '../../src/protocol/json.ts';
import { CloseError } from '../../src/wire/close-error.ts';
import { CloseCode } from '../../src/wire/codes.ts';

const utf8 = (text: string) => new TextEncoder().encode(text);

function failure(body: Uint8Array): unknown {
  try {
    parseJson(body);
  } catch (error) {
    return error;
  }
  return undefined;
}

describe('a body that is not valid UTF-8', () => {
  it.each([
    ['a lone continuation byte', [0x80], '\ufffd'],
    ['a sequence that was cut', [0xe6, 0xbc], '\ufffd'],
    ['an overlong slash', [0xc0, 0xaf], '\ufffd\ufffd'],
    ['CESU-8', [0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80], '\ufffd'.repeat(6)],
    ['a code point above U+10FFFF', [0xf4, 0x90, 0x80, 0x80], '\ufffd'.repeat(4)],
    ['Latin-1', [0x63, 0x61, 0x66, 0xe9], 'caf\ufffd'],
  ])('is read with U+FFFD, and reported: %s', (_name, bytes, text) => {
    const garbled: number[] = [];
    const body = Uint8Array.from([0x22, ...bytes, 0x22]);
    expect(parseJson(body, { garbled: () => garbled.push(1) })).toBe(text);
    expect(garbled).toEqual([1]);
  });
  it('is refused when it is not JSON either', () => {
    const utf16 = Uint8Array.of(0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00);
    expect(failure(utf16)).toMatchObject({ code: CloseCode.UNSUPPORTED, message: 'Body is not valid JSON' });
  });
  it('is distinguished from valid text that contains U+FFFD', () => {
    const garbled: number[] = [];
    expect(parseJson(utf8('"\ufffd"'), { garbled: () => garbled.push(1) })).toBe('\ufffd');
    expect(garbled).toEqual([]);
  });
});

describe('the JSON parser', () => {
  it.each([
    ['nothing', ''],
    ['a blank', ' '],
    ['a byte order mark', '\ufeff{}'],
    ['a NUL after the text', '{}\0'],
    ['a NUL in a string', '"a\0b"'],
    ['two values', '{}{}'],
    ['a comment', '{/**/}'],
    ['a trailing comma', '[1,]'],
    ['single quotes', "{'a':1}"],
    ['NaN', 'NaN'],
    ['a hexadecimal number', '0x1'],
    ['half an object', '{"a":'],
    ['a closing bracket first', `${']'.repeat(100)}${'['.repeat(100)}`],
  ])('refuses %s', (_name, text) => {
    expect(failure(utf8(text))).toMatchObject({
      name: 'CloseError',
      code: CloseCode.UNSUPPORTED,
      message: 'Body is not valid JSON',
    });
  });
  it('does not quote its input in an error, because the input may contain a token', () => {
    expect((failure(utf8('{"access_token":"SECRET"!')) as Error).message).not.toContain('SECRET');
  });
  it('returns the last value of a repeated key', () => {
    expect(parseJson(utf8('{"cmd":"A","cmd":"B"}'))).toEqual({ cmd: 'B' });
  });
  it('creates __proto__ as an ordinary key, and changes no prototype', () => {
    const value = parseJson(
      utf8('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}'),
    );
    expect(Object.keys(value as object)).toEqual(['__proto__', 'constructor']);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });
  it('preserves an escaped NUL and an escaped lone surrogate', () => {
    expect(parseJson(utf8('"\\u0000\\ud800"'))).toBe('\0\ud800');
  });
});

describe('the nesting depth', () => {
  const nested = (depth: number, open = '[', close = ']') => utf8(open.repeat(depth) + close.repeat(depth));

  it.each([
    ['[', ']'],
    ['{"a":', '}'],
  ])('of %s is accepted up to 64 levels', (open, close) => {
    const inner = open === '[' ? '' : '1';
    const body = (depth: number) => utf8(open.repeat(depth) + inner + close.repeat(depth));
    expect(() => parseJson(body(64))).not.toThrow();
    expect(() => parseJson(body(65))).toThrow(CloseError);
    expect(() => parseJson(body(65))).toThrow('nested deeper than 64 levels');
  });
  it('of 32,000 open brackets is refused', () => {
    expect(() => parseJson(utf8('['.repeat(32_000)))).toThrow('nested deeper than 64 levels');
    expect(() => parseJson(utf8('{"a":'.repeat(32_000)))).toThrow('nested deeper than 64 levels');
  });
  it('counts levels, not brackets', () => {
    expect(parseJson(utf8(`[${Array.from({ length: 500 }, () => '[]').join()}]`))).toHaveLength(500);
  });
  it.each([
    ['brackets in a string', `"${'['.repeat(100)}"`],
    ['brackets after an escaped quote', `"\\"${'['.repeat(100)}"`],
    ['brackets after an escaped backslash and more', `["\\\\","${'{'.repeat(100)}"]`],
    ['brackets beside multi-byte characters', `"漢${'['.repeat(100)}漢"`],
  ])('does not count %s', (_name, text) => {
    expect(parseJson(utf8(text))).toEqual(JSON.parse(text));
  });
  it('counts brackets after a string that ends in an escaped backslash', () => {
    expect(() => parseJson(utf8(`["\\\\",${'['.repeat(64)}${']'.repeat(64)}]`))).toThrow('nested deeper');
    expect(() => parseJson(nested(65))).toThrow('nested deeper');
  });
});

it.each([
  [{}, true],
  [null, false],
  [[], false],
  ['', false],
  [1, false],
  [undefined, false],
  [true, false],
])('isObject(%j) is %s', (value, expected) => {
  expect(isObject(value)).toBe(expected);
});

it('endOfString finds the end of a JSON string of any length with any escapes', () => {
  const texts = ['', 'a', '\\', '"', '\\"', '"\\', 'é漢😀'].flatMap((end) =>
    [0, 1, 20, 21, 22, 23, 24, 25, 60].map((length) => `${'x'.repeat(length)}${end}`),
  );
  for (const text of [...texts, '\\'.repeat(50), '"'.repeat(50), 'x\\'.repeat(30)]) {
    const string = JSON.stringify(text);
    const body = utf8(`[${string},"next"]`);
    expect([text, endOfString(body, 1)]).toEqual([text, utf8(string).length]);
    expect(endOfString(utf8(string).subarray(0, -1), 0)).toBe(utf8(string).length - 1);
  }
});
