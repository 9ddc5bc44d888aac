/** What V8 takes for an object and a list besides their fields and items, for a text besides its characters, and for one value. */
const OBJECT = 56;
const LIST = 32;
const TEXT = 24;
const SLOT = 8;
/** Texts up to here are taken to need two bytes for each character: looking at them would cost more than it says. */
const SHORT = 32;
// A text is kept with one byte for each character as long as all of them are Latin-1.
const IS_WIDE = /[\u0100-\uffff]/;

/** Estimates the bytes of heap that a value of JSON takes. It looks at each field once and makes nothing. */
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

/** Estimates the bytes of heap that a text takes. */
export function textBytes(text: string): number {
  const { length } = text;
  return TEXT + (length <= SHORT || IS_WIDE.test(text) ? 2 * length : length);
}
