import { MAX_INSTRUCTIONS, repeatedSize } from '../base/pattern-size.ts';
import { folded, type Text } from './text.ts';

/** A text of a rule that is compared with texts of an app. */
export interface Pattern {
  /** The kinds from the most specific to the least specific. */
  readonly kind: 'exact' | 'regex' | 'wildcard';
  /** The pattern as the user wrote it. */
  readonly source: string;
  matches(text: Text): boolean;
}

/** Compiles a regular expression that is evaluated in linear time. Throws an Error for an invalid one. */
export type RegexCompiler = (source: string) => {
  readonly programSize: number;
  test(text: string): boolean;
};

/** Start of a pattern that is a regular expression. */
export const REGEX_PREFIX = 're:';

/** Maximum length of a pattern (characters). */
export const MAX_PATTERN_LENGTH = 1000;

/**
 * Parses `text`, `te*t` or `re:expression`. Texts and wildcards match a whole text without regard to case; an expression
 * matches any part of it, with case, as `(?i)` changes. Throws an Error with the reason for a pattern that is too long
 * or does not parse.
 */
export function parsePattern(source: string, compile: RegexCompiler): Pattern {
  if (source.trim() === '') throw new Error('an empty pattern matches nothing');
  if (source.length > MAX_PATTERN_LENGTH)
    throw new Error(`the pattern has ${source.length} characters, at most ${MAX_PATTERN_LENGTH} are allowed`);
  return source.startsWith(REGEX_PREFIX) ? regex(source, compile) : textPattern(source);
}

/** Parses a text, in which `*` stands for any text; it matches a whole text without regard to case. */
export function textPattern(source: string): Pattern {
  if (source.includes('*')) return wildcard(source);
  const wanted = folded(source);
  return { kind: 'exact', source, matches: (text) => text.folded === wanted };
}

function regex(source: string, compile: RegexCompiler): Pattern {
  const expression = source.slice(REGEX_PREFIX.length);
  const tooLarge = new Error('the expression is too large: simplify it, or write several rules');
  // The engine expands counted repetitions, so the size is estimated before.
  if (repeatedSize(expression) > MAX_INSTRUCTIONS) throw tooLarge;
  const compiled = compile(expression);
  if (compiled.programSize > MAX_INSTRUCTIONS) throw tooLarge;
  return { kind: 'regex', source, matches: (text) => compiled.test(text.raw) };
}

/** Matches in linear time: each part is searched once, from the end of the part before it. */
function wildcard(source: string): Pattern {
  const [first = '', ...rest] = folded(source).split('*');
  const last = rest.pop() ?? '';
  const matches = ({ folded: value }: Text): boolean => {
    if (value.length < first.length + last.length) return false;
    if (!value.startsWith(first) || !value.endsWith(last)) return false;
    let at = first.length;
    const end = value.length - last.length;
    for (const part of rest) {
      const found = value.indexOf(part, at);
      if (found === -1 || found + part.length > end) return false;
      at = found + part.length;
    }
    return true;
  };
  return { kind: 'wildcard', source, matches };
}
