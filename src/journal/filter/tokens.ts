/** Piece of a filter between white space. */
export interface Token {
  readonly from: number;
  readonly to: number;
  readonly isNegated: boolean;
  /** Word before the colon; empty for a bare word. */
  readonly key: string;
  /** Text of the value as typed. */
  readonly raw: string;
  /** Position of the value in the filter. */
  readonly valueFrom: number;
  /** Whether a quote in it is never closed. */
  readonly isUnclosed: boolean;
}

const SPACE = /\s/;

/** Splits a filter at its white space, but not within quotes. */
export function tokensIn(text: string): readonly Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < text.length) {
    if (SPACE.test(text.charAt(at))) at += 1;
    else {
      const token = tokenAt(text, at);
      tokens.push(token);
      at = token.to;
    }
  }
  return tokens;
}

function tokenAt(text: string, from: number): Token {
  const sign = text.charAt(from);
  // A lone sign is a word.
  const isNegated = (sign === '-' || sign === '!') && /\S/.test(text.charAt(from + 1));
  const begin = isNegated ? from + 1 : from;
  const key = /^[a-z]+(?=:(?!\/\/))/i.exec(text.slice(begin, begin + 40))?.[0] ?? '';
  const valueFrom = key === '' ? begin : begin + key.length + 1;
  let [at, isQuoted] = [valueFrom, false];
  while (at < text.length && (isQuoted || !SPACE.test(text.charAt(at)))) {
    if (text.charAt(at) === '"') isQuoted = !isQuoted;
    else if (isQuoted && text.charAt(at) === '\\') at += 1;
    at += 1;
  }
  const to = Math.min(at, text.length);
  return {
    from,
    to,
    isNegated,
    key: key.toLowerCase(),
    raw: text.slice(valueFrom, to),
    valueFrom,
    isUnclosed: isQuoted,
  };
}

/** Part of a value between commas; `isExact` where an equals sign stands before it. */
export interface ValuePart {
  readonly text: string;
  readonly isExact: boolean;
}

/** Splits a value at its commas, but not within quotes, and removes the quotes. */
export function partsIn(raw: string): readonly ValuePart[] {
  const parts: ValuePart[] = [];
  let [text, isExact, isQuoted, isEmpty] = ['', false, false, true];
  const end = (): void => {
    parts.push({ text, isExact });
    [text, isExact, isEmpty] = ['', false, true];
  };
  for (let at = 0; at < raw.length; at += 1) {
    const sign = raw.charAt(at);
    if (sign === '"') isQuoted = !isQuoted;
    else if (isQuoted && sign === '\\') {
      at += 1;
      text += raw.charAt(at);
    } else if (!isQuoted && sign === ',') end();
    else if (isEmpty && !isQuoted && sign === '=') isExact = true;
    else text += sign;
    if (sign !== ',' || isQuoted) isEmpty = false;
  }
  end();
  return parts;
}

/** Value without its quotes, where backslashes of a pattern stay. */
export function unquoted(raw: string): string {
  return /^".*"$/s.test(raw) && raw.length > 1 ? raw.slice(1, -1).replaceAll('\\"', '"') : raw;
}

/** Text as a value of the language: quoted where it has white space, a comma, a quote or a sign at its begin. */
export function quotedValue(text: string): string {
  return /^[^\s",=\\!-][^\s",\\]*$/.test(text) ? text : `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}
