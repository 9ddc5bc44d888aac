/**
 * A text or a number of JSON. The inner loop replaces an alternative for each character, which would cost stack for
 * each character.
 */
const TEXT_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
const TEXT = /"[^"\\]*(?:\\.[^"\\]*)*"/g;
/** A whole number with more digits than a double certainly preserves. */
const LARGE = /^-?[1-9]\d{15,}$/;
/** Possible start of a large number; a match may also be within a text. */
const MAYBE_LARGE = /(?:^|[:,[\s])-?\d{16}/;

/** Prefix of a text that encodes a number; a text that already begins with the prefix gets it a second time. */
const MARK = '\uE000';
const MAYBE_MARK = /\uE000|\\ue000/i;
const BEGINS_WITH_MARK = /^"(?:\uE000|\\ue000)/i;

/**
 * Reads JSON in which whole numbers of 16 digits and more, usually ids, become texts that {@link printExact} prints as
 * the numbers they were: a double would round them. Throws as JSON.parse does.
 */
export function parseExact(json: string): unknown {
  // Parsed first, even if the result is not used: on invalid JSON the pattern below would take quadratic time, or turn
  // it into valid JSON.
  const plain = JSON.parse(json) as unknown;
  if (!mayHoldLarge(json) && !MAYBE_MARK.test(json)) return plain;
  const marked = json.replace(TEXT_OR_NUMBER, (found) => {
    if (LARGE.test(found)) return `"${MARK}${found}"`;
    return BEGINS_WITH_MARK.test(found) ? `"${MARK}${found.slice(1)}` : found;
  });
  return JSON.parse(marked) as unknown;
}

/**
 * Whether JSON may contain a whole number of 16 digits and more, without examining each text: false means that
 * JSON.parse loses no digit of an id.
 */
export function mayHoldLarge(json: string): boolean {
  return MAYBE_LARGE.test(json);
}

/**
 * Reads JSON in which whole numbers of 16 digits and more become texts of their digits, for display or use as ids.
 * Throws as JSON.parse does.
 */
export function parseLargeAsText(json: string): unknown {
  const plain = JSON.parse(json) as unknown;
  if (!mayHoldLarge(json)) return plain;
  return JSON.parse(
    json.replace(TEXT_OR_NUMBER, (found) => (LARGE.test(found) ? `"${found}"` : found)),
  ) as unknown;
}

/** Number that {@link parseExact} returned as a text; undefined for any other value. */
export function largeNumberIn(value: unknown): number | undefined {
  const isLarge = typeof value === 'string' && value.startsWith(MARK) && !value.startsWith(MARK + MARK);
  return isLarge ? Number(value.slice(MARK.length)) : undefined;
}

/**
 * JSON of a value that {@link parseExact} returned, or of a value derived from such values; `indent` as of
 * `JSON.stringify`.
 */
export function printExact(value: unknown, indent = 0): string {
  const json = JSON.stringify(value, null, indent);
  if (!json?.includes(MARK)) return json;
  return json.replace(TEXT, (text) => {
    if (!text.startsWith(`"${MARK}`)) return text;
    return text.startsWith(`"${MARK}${MARK}`) ? `"${text.slice(2)}` : text.slice(2, -1);
  });
}
