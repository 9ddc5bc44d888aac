/** From this length on, V8 makes a substring as a pointer into the whole text, which then stays in memory. */
const SLICED = 13;

/**
 * The same text in memory of its own. Stored parts of received text must be copied with it: a row is counted by its
 * own characters, and would otherwise retain the whole received text.
 */
export function ownText(text: string): string {
  // Two bytes for each character preserve half of a surrogate pair. V8 narrows text that is Latin-1.
  return text.length < SLICED ? text : Buffer.from(text, 'utf16le').toString('utf16le');
}

/** The text itself; empty where it is white space alone, as the platform trims it. */
export function unlessBlank(text: string): string {
  return text.trim() === '' ? '' : text;
}
