/** Length from which V8 stores a substring as a pointer into the whole text, which then stays in memory. */
const SLICED = 13;

/**
 * Copies a text into memory of its own. Parts of a received text must be copied before they are stored: a row counts
 * only its own characters, but a substring would retain the whole received text.
 */
export function ownText(text: string): string {
  // Two bytes per character preserve half of a surrogate pair. V8 stores Latin-1 text with one byte per character
  // again.
  return text.length < SLICED ? text : Buffer.from(text, 'utf16le').toString('utf16le');
}

/** Returns the text, or an empty text where it consists only of white space, as the platform trims it. */
export function unlessBlank(text: string): string {
  return text.trim() === '' ? '' : text;
}
