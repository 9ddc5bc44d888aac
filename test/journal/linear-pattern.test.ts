import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { linearPattern } from '../../src/journal/filter/linear-pattern.ts';
import { NotLinear } from '../../src/journal/filter/pattern-parts.ts';

const ATOMS = [
  ...['a', 'b', 'A', 'é', '.', ' ', '1', '-', ']', '}', '{', '{x}', '{1,x', ',', '^', '$', '(?:)'],
  ...String.raw`\d \w \s \D \W \S \b \B \. \\ \n \t \0 \x61 \u0062 \u{2} \cJ \p`.split(' '),
  ...String.raw`[ab] [^a] [a-c] [^\d] [\w-] [-a] [a-] [\]b] [\b] [^] [] [\x61-\u0063] [\-a] [A-Z] [\w-b]`.split(
    ' ',
  ),
];
const patterns = fc.letrec<{ part: string }>((tie) => ({
  part: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(...ATOMS),
    fc.tuple(tie('part'), tie('part')).map((parts) => parts.join('')),
    fc.tuple(tie('part'), tie('part')).map((parts) => `(${parts.join('|')})`),
    fc
      .tuple(
        fc.constantFrom('(', '(?:', '(?<name>'),
        tie('part'),
        fc.constantFrom('*', '+', '?', '*?', '+?', '??', '{2}', '{0}', '{1,}', '{0,2}', '{1,3}?'),
      )
      .map(([open, part, sign]) => `${open}${part})${sign}`),
  ),
})).part;
const texts = fc.oneof(
  fc
    .array(fc.constantFrom(...Array.from('abcABéÉ.1 -_]}{,x\\\n\tpKſ\u{8}')), { maxLength: 12 })
    .map((all) => all.join('')),
  fc.string({ unit: 'binary', maxLength: 6 }),
);

describe('a pattern that takes linear time', () => {
  it('finds what the engine of JavaScript finds', () => {
    fc.assert(
      fc.property(patterns, fc.array(texts, { minLength: 1, maxLength: 5 }), (source, all) => {
        let expected: RegExp;
        try {
          expected = new RegExp(source, 'i');
        } catch {
          // Two groups of one name.
          return;
        }
        const pattern = linearPattern(source);
        for (const text of all)
          expect([source, text, pattern.test(text)]).toEqual([source, text, expected.test(text)]);
      }),
      { numRuns: 3000 },
    );
  });

  it.each([
    '(a+)+$',
    '((a+))+$',
    '^(a|a)*$',
    '(a|aa)+$',
    `${'a?'.repeat(60)}${'a'.repeat(60)}b`,
    '(a{1,20}){1,20}$',
    '(.*)(.*)(.*)(.*)b',
  ])('of %s ends for a text of 60,000 letters', (source) => {
    expect(linearPattern(source).test(`${'a'.repeat(60_000)}!`)).toBe(false);
  });

  it('stays right after more states than it remembers', () => {
    // Each state is a set of the last twelve places with an "a".
    const pattern = linearPattern('a[ab]{12}c');
    const text = Array.from({ length: 20_000 }, (_, at) => ((at * at + at) % 7 < 3 ? 'a' : 'b')).join('');
    expect(pattern.test(text)).toBe(/a[ab]{12}c/.test(text));
    expect(pattern.test(`${text}a${'b'.repeat(12)}c`)).toBe(true);
  });

  it.each([
    '(?=a)b*',
    '(?!a)b*',
    '(?<=a)b*',
    '(?<!a)b*',
    String.raw`(a)\1*`,
    String.raw`(?<n>a)\k<n>*`,
    'a{1001}',
    '((a{30}){30}){30}',
    '(((){1000}){1000}){1000}',
  ])('there is none of %s', (source) => {
    expect(() => linearPattern(source)).toThrow(NotLinear);
  });
});
