/**
 * Estimated memory in V8 (bytes): an object without its fields, a list without its items, a text without its
 * characters, and the slot of one value.
 */
const OBJECT = 56;
const LIST = 32;
const TEXT = 24;
const SLOT = 8;
/**
 * Maximum length of a text that is counted with two bytes per character without a scan, because a scan costs more than
 * its accuracy gains.
 */
const SHORT = 32;
// V8 stores a text with one byte per character if all its characters are Latin-1.
const IS_WIDE = /[\u0100-\uffff]/;

/** Estimates the heap bytes of a JSON value. It visits each field once and allocates nothing. */
export function bytesOf(value: unknown): number {
  if (typeof value === 'string') return textBytes(value);
  if (typeof value !== 'object' || value === null) return SLOT;
  if (Array.isArray(value)) {
    let bytes = LIST;
    for (const item of value) bytes += SLOT + bytesOf(item);
    return bytes;
  }
  let bytes = OBJECT;
  for (const field in value) bytes += SLOT + bytesOf((value as Readonly<Record<string, unknown>>)[field]);
  return bytes;
}

/** Estimates the heap bytes of a text. */
export function textBytes(text: string): number {
  const { length } = text;
  return TEXT + (length <= SHORT || IS_WIDE.test(text) ? 2 * length : length);
}
