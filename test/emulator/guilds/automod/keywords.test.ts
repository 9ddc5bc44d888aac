import { expect, it } from 'vitest';
import { firstFault } from '../../../../src/emulator/guilds/automod/keywords.ts';

const fault = (text: string, keywords: readonly string[], allowed: readonly string[] = []) =>
  firstFault(text, { keywords, patterns: [], allowed }, () => [])?.content;

it.each<[string, string, string | undefined]>([
  ['cat', 'a Cat here', 'Cat'],
  ['cat', 'catch', undefined],
  ['cat', 'cat!', undefined],
  ['cat', 'cat', 'cat'],
  ['cat', 'line\ncat\nline', 'cat'],
  ['cat*', 'CAtTLE', 'CAt'],
  ['cat*', 'copycat', undefined],
  ['*cat', 'wildcat', 'cat'],
  ['*cat', 'catch', undefined],
  ['*cat*', 'location', 'cat'],
  ['the mat', 'on the mat', 'the mat'],
  ['the mat*', 'the matrix', 'the mat'],
  ['*the mat', 'breathe mat', 'the mat'],
  ['*the mat', 'the matrix', undefined],
  ['i like c++', 'but I like C++', 'I like C++'],
  ['*', 'anything', undefined],
  ['**', 'anything', undefined],
  ['cat', 'concat cat', 'cat'],
])('the keyword %j in %j is found as %j', (keyword, text, found) => {
  expect(fault(text, [keyword])).toBe(found);
});

it('text within an allowed word is no match, and text beside it is a match', () => {
  expect(fault('my location', ['*cat*'], ['location'])).toBeUndefined();
  expect(fault('my locations', ['*cat*'], ['loca*'])).toBeUndefined();
  expect(fault('my location, cat', ['*cat*'], ['loca*'])).toBe('cat');
  expect(fault('a cat', ['cat'], ['concat'])).toBe('cat');
});

it('patterns are searched after keywords, and do not match within allowed words', () => {
  const find = (pattern: string, text: string) => {
    const from = text.indexOf(pattern);
    return from < 0 ? [] : [{ from, to: from + pattern.length }];
  };
  const wanted = { keywords: ['dog'], patterns: ['cat'], allowed: ['cats'] };
  expect(firstFault('a cat', wanted, find)).toEqual({ keyword: 'cat', content: 'cat' });
  expect(firstFault('some cats', wanted, find)).toBeUndefined();
  expect(firstFault('cat dog', wanted, find)).toEqual({ keyword: 'dog', content: 'dog' });
});

it('text within any of several overlapping allowed words is no match, at any position', () => {
  expect(fault('abc', ['*b*'], ['ab', 'bc'])).toBe('b');
  expect(fault('abc', ['*b*'], ['ab', 'bc', 'abc'])).toBeUndefined();
  expect(fault('xx abc yy', ['*b*'], ['*bc'])).toBeUndefined();
  expect(fault('xx abc yy', ['*b*'], ['b*'])).toBe('b');
  const empty = { keywords: [], patterns: ['^'], allowed: ['b'] };
  expect(firstFault('abc', empty, () => [{ from: 0, to: 0 }])).toEqual({ keyword: '^', content: '' });
});

it('a search ends for words that match at every position of a long text', () => {
  const text = 'a'.repeat(400_000);
  const words = Array.from({ length: 50 }, (_, length) => `*${'a'.repeat(length + 1)}*`);
  expect(fault(text, words, [...words, '*a*'])).toBeUndefined();
});
