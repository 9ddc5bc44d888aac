import { printExact } from './exact-json.ts';

/**
 * Characters that can steer a terminal, fake a line or turn the direction of writing: C0 and C1 controls, format
 * characters (directions, joiners, tags), halves of a pair, and the two separators of lines and paragraphs.
 */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** Foreign text as one line that is safe to display: each character of {@link UNPRINTABLE} becomes a question mark. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, '?');
}

/** The text up to its first line feed. */
export function firstLine(text: string): string {
  return text.replace(/\n.*/s, '');
}

/**
 * Text of several lines that is safe to display: the line feeds are ours, and each line is made {@link printable},
 * because it may quote foreign text.
 */
export function printableLines(text: string): string {
  return text.split('\n').map(printable).join('\n');
}

/**
 * Escapes each character of {@link UNPRINTABLE} in JSON text, or in TOML text without literal strings: the text keeps
 * its meaning and is safe to display. Line feeds stay, because they occur between values only. `astral` is the format's
 * escape of characters beyond U+FFFF.
 */
function escaped(text: string, astral: (sign: string) => string): string {
  return text.replace(UNPRINTABLE, (sign) => {
    if (sign === '\n') return sign;
    return sign.length === 1 ? `\\u${hex(sign.charCodeAt(0), 4)}` : astral(sign);
  });
}

/** JSON text with every character of {@link UNPRINTABLE} escaped (RFC 8259, section 7). */
export function escapedJson(text: string): string {
  return escaped(text, (sign) => `\\u${hex(sign.charCodeAt(0), 4)}\\u${hex(sign.charCodeAt(1), 4)}`);
}

/** TOML text, whose strings must all be basic strings, with every character of {@link UNPRINTABLE} escaped. */
export function escapedToml(text: string): string {
  return escaped(text, (sign) => `\\U${hex(sign.codePointAt(0) ?? 0, 8)}`);
}

/** A value of any origin as JSON that is safe to display; `indent` as of `JSON.stringify`. */
export function printableJson(value: unknown, indent = 0): string {
  return escapedJson(JSON.stringify(value, null, indent));
}

/**
 * A value of `parseExact` as JSON that is safe to display, with all digits of its large numbers; `indent` as of
 * `JSON.stringify`.
 */
export function printableExactJson(value: unknown, indent = 0): string {
  return escapedJson(printExact(value, indent));
}

function hex(code: number, digits: number): string {
  return code.toString(16).padStart(digits, '0');
}

/** A time (ms since the Unix epoch) on the clock of this machine, as `2026-03-01 14:05:09`. */
export function localTime(ms: number): string {
  const time = new Date(ms);
  const day = [time.getFullYear(), time.getMonth() + 1, time.getDate()];
  const clock = [time.getHours(), time.getMinutes(), time.getSeconds()];
  return [day.map(twoDigits).join('-'), clock.map(twoDigits).join(':')].join(' ');
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}

/** `1 record`, `2 records`; pass `many` where the plural has no plain s. */
export function amount(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
