import { parse } from 'smol-toml';
import { describe, expect, it } from 'vitest';
import {
  escapedToml,
  firstLine,
  localTime,
  printable,
  printableJson,
  printableLines,
} from '../../src/base/text.ts';

/** One of each class, and the first and last of the controls: none of them may reach a terminal or a log. */
const HOSTILE = [
  '\u0000\u0007\u001b\u001f',
  '\u007f\u0080\u0085\u009b\u009f',
  '\u00ad\u061c\u200b\u200e\u202a\u202e\u2066\u2069\ufeff',
  '\u2028\u2029',
  '\u{1d173}\u{e0001}\u{e0041}',
];
const NONE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;
const ORDINARY = 'Grüße, 世界 👍 "quoted" \\ back';

it.each([
  ['one', 'one'],
  ['one\ntwo\nthree', 'one'],
  ['\none', ''],
  ['', ''],
])('the first line of %j is %j', (text, line) => {
  expect(firstLine(text)).toBe(line);
});

describe('printable', () => {
  it('returns one line with a mark for each control character or line break', () => {
    expect(printable('a\u001b[2Jb\nc\u202ed\u2028e\u0007')).toBe('a?[2Jb?c?d?e?');
    expect(printable('\u009b31m')).toBe('?31m');
  });

  it.each(HOSTILE)('replaces every character of %j and an unpaired surrogate', (signs) => {
    expect(printable(`${signs}\ud800`)).toMatch(/^\?+$/);
  });

  it('returns any other text unchanged', () => {
    expect(printable(ORDINARY)).toBe(ORDINARY);
  });

  it('preserves line feeds in its variant for several lines', () => {
    expect(printableLines('a\r\nb\u0085c\n')).toBe('a?\nb?c\n');
  });
});

describe('a time', () => {
  it('is that of this machine, with two digits', () => {
    expect(localTime(new Date(2026, 2, 1, 4, 5, 9, 999).getTime())).toBe('2026-03-01 04:05:09');
    expect(localTime(new Date(2026, 10, 30, 14, 15, 16).getTime())).toBe('2026-11-30 14:15:16');
  });
});

describe('JSON and TOML output of untrusted text', () => {
  it.each([...HOSTILE, ORDINARY])('escapes %j and parses back to the same value', (signs) => {
    const value = { [signs]: [signs] };
    expect(printableJson(value)).not.toMatch(NONE);
    expect(JSON.parse(printableJson(value))).toEqual(value);
    expect(JSON.parse(printableJson(value, 2))).toEqual(value);
    const toml = escapedToml(`name = ${JSON.stringify(signs)}`);
    expect(toml).not.toMatch(NONE);
    expect(parse(toml)).toEqual({ name: signs });
  });

  it('preserves the indentation', () => {
    expect(printableJson({ a: [1] }, 2)).toBe('{\n  "a": [\n    1\n  ]\n}');
  });
});
