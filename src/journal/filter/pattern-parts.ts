/** Part of a regular expression. */
export type Part =
  /** `text` is the one character of ASCII that is meant, in either case; absent for several characters. */
  | { readonly kind: 'set'; readonly has: CharTest; readonly text?: string }
  | { readonly kind: 'place'; readonly place: Place }
  | { readonly kind: 'all' | 'any'; readonly parts: readonly Part[] }
  | { readonly kind: 'repeat'; readonly part: Part; readonly min: number; readonly max: number };

/** Begin and end of the text, and whether a word begins or ends. */
export type Place = '^' | '$' | 'b' | 'B';

/** Whether a character, by its code unit, is meant. */
type CharTest = (code: number) => boolean;

/** A pattern has a part that linear time does not allow: a look-around or a back reference. */
export class NotLinear extends Error {}

export function isWord(code: number): boolean {
  return /\w/.test(String.fromCharCode(code));
}

/** Reads a regular expression that JavaScript accepts with the flag `i`. Throws {@link NotLinear}. */
export function partsOf(source: string): Part {
  let at = 0;
  const next = (): string => source.charAt(at);
  const took = (text: string): boolean => {
    if (!source.startsWith(text, at)) return false;
    at += text.length;
    return true;
  };
  const found = (form: RegExp): RegExpExecArray | undefined => {
    const match = form.exec(source.slice(at, at + 60)) ?? undefined;
    at += match?.[0].length ?? 0;
    return match;
  };
  const alternatives = (): Part => {
    const parts = [sequence()];
    while (took('|')) parts.push(sequence());
    return parts.length === 1 && parts[0] !== undefined ? parts[0] : { kind: 'any', parts };
  };
  const sequence = (): Part => {
    const parts: Part[] = [];
    while (at < source.length && next() !== '|' && next() !== ')') parts.push(repeated(atom()));
    return { kind: 'all', parts };
  };
  const repeated = (part: Part): Part => {
    const [, sign, least, comma, most] = found(/^(?:([*+?])|\{(\d+)(,(\d*))?\})/) ?? [];
    if (sign === undefined && least === undefined) return part;
    took('?');
    const min = sign === undefined ? Number(least) : sign === '+' ? 1 : 0;
    const finite = comma === undefined ? min : most === '' ? Infinity : Number(most);
    return { kind: 'repeat', part, min, max: sign === undefined ? finite : sign === '?' ? 1 : Infinity };
  };
  const atom = (): Part => {
    if (took('(')) {
      if (took('?') && !took(':') && found(/^<[^=!>][^>]*>/) === undefined) throw new NotLinear();
      const part = alternatives();
      took(')');
      return part;
    }
    if (took('^')) return { kind: 'place', place: '^' };
    if (took('$')) return { kind: 'place', place: '$' };
    if (took('.')) return { kind: 'set', has: testOf('.') };
    if (took('[')) return { kind: 'set', has: classTest() };
    const place = found(/^\\([bB])/)?.[1];
    if (place !== undefined) return { kind: 'place', place: place as Place };
    // Back references, by number and by name.
    if (/^\\[1-9k]/.test(source.slice(at, at + 2))) throw new NotLinear();
    const text = character();
    const code = codeOf(text);
    const has = ignoringCase(testOf(text));
    return isOne(text) && code < 128
      ? { kind: 'set', has, text: String.fromCharCode(code) }
      : { kind: 'set', has };
  };
  const character = (): string =>
    (found(/^\\(?:x[\da-f]{2}|u[\da-f]{4}|c[a-z]|[\s\S])/i) ?? found(/^[\s\S]/) ?? [''])[0];
  const classTest = (): CharTest => {
    const isNegated = took('^');
    const tests: CharTest[] = [];
    while (at < source.length && !took(']')) {
      const [range, from = '', to = ''] =
        found(
          /^((?:\\(?:x[\da-f]{2}|u[\da-f]{4}|c[a-z]|[^dwsDWS])|[^\\\]]))-((?:\\(?:x[\da-f]{2}|u[\da-f]{4}|c[a-z]|[^dwsDWS])|[^\\\]]))/i,
        ) ?? [];
      if (range === undefined) tests.push(took('\\b') ? (code) => code === 8 : testOf(character()));
      else {
        const [first, last] = [codeOf(from), codeOf(to)];
        tests.push((code) => code >= first && code <= last);
      }
    }
    const has = ignoringCase((code) => tests.some((test) => test(code)));
    return isNegated ? (code) => !has(code) : has;
  };
  return alternatives();
}

/** Whether what is written means one character, not any of several. */
function isOne(text: string): boolean {
  return text !== '.' && !/^\\[dwsDWS]$/.test(text);
}

/** Test of a character as it is written. */
function testOf(text: string): CharTest {
  if (!isOne(text)) {
    const form = new RegExp(`^${text}$`);
    return (code) => form.test(String.fromCharCode(code));
  }
  const wanted = codeOf(text);
  return (code) => code === wanted;
}

const CONTROLS: Readonly<Record<string, number>> = { t: 9, n: 10, v: 11, f: 12, r: 13, 0: 0 };

/** Code unit of a character as it is written. */
function codeOf(text: string): number {
  if (!text.startsWith('\\') || text.length === 1) return text.charCodeAt(0);
  if (/^\\[xu]./i.test(text) && text.length > 2) return Number.parseInt(text.slice(2), 16);
  if (/^\\c./i.test(text) && text.length > 2) return text.charCodeAt(2) % 32;
  return CONTROLS[text.charAt(1)] ?? text.charCodeAt(1);
}

/** Like JavaScript, but with one other form of a letter: the few that have more are not found by another. */
function ignoringCase(has: CharTest): CharTest {
  return (code) => {
    if (has(code)) return true;
    const letter = String.fromCharCode(code);
    return [letter.toLowerCase(), letter.toUpperCase()].some((other) => {
      const form = other.charCodeAt(0);
      // As in JavaScript, no other letter is one of ASCII.
      return other.length === 1 && form < 128 === code < 128 && has(form);
    });
  };
}

/** Texts of two characters and more that are in each text with the pattern. */
export function textsIn(part: Part): readonly string[] {
  switch (part.kind) {
    case 'all': {
      const texts: string[] = [];
      let run = '';
      const end = (): void => {
        if (run.length > 1) texts.push(run);
        run = '';
      };
      for (const one of part.parts) {
        if (one.kind === 'set' && one.text !== undefined) run += one.text;
        else if (one.kind !== 'place') {
          end();
          texts.push(...textsIn(one));
        }
      }
      end();
      return texts;
    }
    case 'repeat':
      return part.min > 0 ? textsIn(part.part) : [];
    default:
      return [];
  }
}
