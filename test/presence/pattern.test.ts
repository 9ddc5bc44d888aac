import { describe, expect, it } from 'vitest';
import { isNamed } from '../../src/presence/client-names.ts';
import { parsePattern } from '../../src/presence/pattern.ts';
import { compile, matches } from './rules.ts';

describe('a pattern', () => {
  it.each([
    ['Code', 'code', true],
    ['Code', ' CODE ', true],
    ['Code', 'Code - Insiders', false],
    ['Cafe\u0301', 'Caf\u00e9', true],
    ['Co*', 'Code', true],
    ['Co*', 'co', true],
    ['*de', 'Code', true],
    ['*', '', true],
    ['a*a', 'a', false],
    ['a*b*c', 'a-b-c', true],
    ['a*b*c', 'a-c-b', false],
    ['a*bc*c', 'abc', false],
    ['*a*', 'xay', true],
    ['**', 'x', true],
    ['*ab*b', 'ab', false],
    ['*ab*b*c', 'abbc', true],
    ['*a*a*', 'ba', false],
    ['*ab*bc*', 'abc', false],
    ['a*bb', 'abXb', false],
    ['STRASSE', 'stra\u00dfe', false],
    [`${'x'.repeat(999)}*`, 'x'.repeat(999), true],
    ['a.c', 'abc', false],
    ['re:^Co', 'Code', true],
    ['re:^Co', 'My Code', false],
    ['re:de', 'Code', true],
    ['re:CODE', 'code', false],
    ['re:(?i)CODE', 'code', true],
  ])('%j matches %j: %s', (source, text, expected) => {
    expect(matches(source, text)).toBe(expected);
  });

  it.each([
    ['', 'an empty pattern'],
    ['  ', 'an empty pattern'],
    ['x'.repeat(1001), 'the pattern has 1001 characters, at most 1000'],
    ['re:(', 'missing closing )'],
    [`re:${'(a{100})'.repeat(10)}`, 'the expression is too large'],
    ['re:((((a{9}){9}){9}){9}){9}', 'the expression is too large'],
  ])('%j is refused: %s', (source, reason) => {
    expect(() => parsePattern(source, compile)).toThrow(reason);
  });

  it('takes linear time for a text that makes other engines slow', () => {
    expect(matches('re:(a+)+$', `${'a'.repeat(5000)}b`)).toBe(false);
    expect(matches('*a*a*a*a*a*a*a*b', 'a'.repeat(20_000))).toBe(false);
  });
});

it.each([
  ['Name', 'exact'],
  ['Na*e', 'wildcard'],
  ['re:Na*e', 'regex'],
])('a pattern keeps its source: %j is of the kind %s', (source, kind) => {
  expect(parsePattern(source, compile)).toMatchObject({ source, kind });
});

it.each([
  [500, true],
  [501, false],
])('an expression of %i characters is taken: %s', (length, isTaken) => {
  const parse = () => parsePattern(`re:${'x'.repeat(length)}`, () => ({ programSize: 1, test: () => true }));
  if (isTaken) expect(parse().kind).toBe('regex');
  else expect(parse).toThrow('too large');
});

it.each([
  [500, true],
  [501, false],
])('an expression of %i instructions is taken: %s', (programSize, isTaken) => {
  const parse = () => parsePattern('re:x', () => ({ programSize, test: () => true }));
  if (isTaken) expect(parse().kind).toBe('regex');
  else expect(parse).toThrow('the expression is too large: simplify it, or write several rules');
});

describe('the name of a chat client', () => {
  it.each([
    [['vesktop'], ['Vesktop', 'user:1'], true],
    [['user:1'], ['stable', 'user:1'], true],
    [['user:*'], ['stable', 'user:1'], true],
    [['canary', 'ptb'], ['stable'], false],
    [['canary', 'stable'], ['stable'], true],
    [['stable'], ['stable-2'], false],
  ])('%j names %j: %s', (patterns, names, expected) => {
    expect(isNamed(patterns, names)).toBe(expected);
  });
});
