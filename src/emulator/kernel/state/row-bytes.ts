/**
 * Memory in V8 of an object and a list besides their fields and items, of a text besides its characters, and of one
 * value.
 */
const OBJECT = 56;
const LIST = 32;
const TEXT = 24;
const SLOT = 8;
/** Texts up to this length are counted with two bytes for each character: scanning them would cost more than it gains. */
const SHORT = 32;
// V8 stores a text with one byte for each character as long as all of them are Latin-1.
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
