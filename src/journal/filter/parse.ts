import { didYouMean } from '../../base/nearest.ts';
import { escaped } from './escaped.ts';
import { type FilterKey, isKey, KEYS, KIND_WORDS, STATUS_WORDS } from './keys.ts';
import { linearPattern, type TextTest } from './linear-pattern.ts';
import { NotLinear } from './pattern-parts.ts';
import { type Range, rangeOf, SIZE_UNITS, TIME_UNITS } from './range.ts';
import { partsIn, type Token, tokensIn, unquoted, type ValuePart } from './tokens.ts';

/** One condition of a filter. */
export type Condition =
  | { readonly key: 'app' | 'cmd' | 'kind' | 'status' | 'session'; readonly parts: readonly ValuePart[] }
  | { readonly key: 'ms' | 'size' | 'time'; readonly range: Range }
  /** A word that is searched everywhere, or a pattern. */
  | { readonly key: 'text' | 're'; readonly pattern: TextTest };

/** Condition with its negation. */
export interface Term {
  readonly condition: Condition;
  readonly isNegated: boolean;
}

/** Place in a filter that cannot be read, with the reason. */
export interface FilterProblem {
  readonly from: number;
  readonly to: number;
  readonly message: string;
}

/** A filter that was read, all of whose terms must hold; or the first problem in it. */
export type ParsedFilter =
  | { readonly kind: 'filter'; readonly terms: readonly Term[] }
  | { readonly kind: 'problem'; readonly problem: FilterProblem };

/** Maximum length of a filter (characters). */
const MAX_FILTER = 2000;

/** Reads a filter such as `app:helper -cmd:PING status:error "two words"`. */
export function parseFilter(text: string): ParsedFilter {
  if (text.length > MAX_FILTER)
    return wrong(MAX_FILTER, text.length, `A filter has at most ${MAX_FILTER} characters.`);
  const terms: Term[] = [];
  for (const token of tokensIn(text)) {
    const condition = conditionOf(token);
    if (typeof condition === 'string') return wrong(token.from, token.to, condition);
    terms.push({ condition, isNegated: token.isNegated });
  }
  return { kind: 'filter', terms };
}

function wrong(from: number, to: number, message: string): ParsedFilter {
  return { kind: 'problem', problem: { from, to, message } };
}

/** Condition of a token; a text is the reason why there is none. */
function conditionOf({ key, raw, isUnclosed }: Token): Condition | string {
  if (isUnclosed) return 'The quote is not closed.';
  if (key === '') return { key: 'text', pattern: new RegExp(escaped(partsText(raw)), 'i') };
  if (!isKey(key))
    return `There is no "${key}:".${didYouMean(key, Object.keys(KEYS))} Put it in quotes to search for the text.`;
  if (raw === '' || raw === '""') return `"${key}:" needs a value: ${KEYS[key]}.`;
  switch (key) {
    case 're':
      return patternOf(unquoted(raw));
    case 'ms':
      return ranged(key, rangeOf(raw, TIME_UNITS));
    case 'size':
      return ranged(key, rangeOf(raw, SIZE_UNITS));
    case 'time':
      return ranged(key, rangeOf(raw, 'time of day'));
    default:
      return worded(key, partsIn(raw));
  }
}

function ranged(key: 'ms' | 'size' | 'time', range: Range | undefined): Condition | string {
  return range === undefined ? `"${key}:" needs a ${KEYS[key]}.` : { key, range };
}

/** Words of keys that have no others. */
const WORDS: Readonly<Record<string, readonly string[]>> = { kind: KIND_WORDS, status: STATUS_WORDS };

function worded(
  key: Exclude<FilterKey, 're' | 'ms' | 'size' | 'time'>,
  parts: readonly ValuePart[],
): Condition | string {
  if (parts.some(({ text }) => text === '')) return `"${key}:" has an empty value beside a comma.`;
  const words = WORDS[key] ?? [];
  const unknown = parts.find(
    ({ text }) =>
      words.length > 0 && !words.includes(text.toLowerCase()) && !(key === 'status' && isCode(text)),
  );
  if (unknown === undefined) return { key, parts };
  return `"${key}:" has no "${unknown.text}".${didYouMean(unknown.text, words)} It has ${words.join(', ')}${key === 'status' ? ', codes' : ''}.`;
}

/** A code, with x for any digit. */
function isCode(text: string): boolean {
  return /^\d[\dx]{0,5}$/i.test(text);
}

/** Maximum number of alternatives and optional parts, each of which may double the time of JavaScript's engine. */
const MAX_CHOICES = 6;

function patternOf(source: string): Condition | string {
  try {
    const pattern = new RegExp(source, 'i');
    return { key: 're', pattern: isQuick(source) ? pattern : linearPattern(source) };
  } catch (error) {
    if (error instanceof NotLinear)
      return 'The pattern is too large, or repeats something beside a look-around or a back reference, which can take for ever.';
    const reason = error instanceof Error ? error.message.replace(/^.*\/i?: /s, '') : 'it cannot be read';
    return `This is no regular expression: ${reason}.`;
  }
}

/** Whether the engine of JavaScript, which is the fastest, takes no long time for any text. */
function isQuick(source: string): boolean {
  return !/[*+{]/.test(source) && (source.match(/[?|]/g) ?? []).length <= MAX_CHOICES;
}

function partsText(raw: string): string {
  // A comma of a bare word is text.
  return raw.includes('"') ? raw.replaceAll(/\\(.)|"/gs, '$1') : raw;
}
