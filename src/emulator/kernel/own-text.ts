/** From this length on V8 makes a part of a text by pointing into the whole, which stays in memory as long as the part. */
const SLICED = 13;

/**
 * The same text in memory of its own. What is cut out of something received and then stored must be one: a row is counted
 * by its own characters, and would keep all of what it came in.
 */
export function ownText(text: string): string {
  // Both bytes of each character: half of a surrogate pair is kept as it is. V8 narrows what is Latin-1.
  return text.length < SLICED ? text : Buffer.from(text, 'utf16le').toString('utf16le');
}

/** What is written; nothing where that is white space alone, as the platform trims it. */
export function unlessBlank(text: string): string {
  return text.trim() === '' ? '' : text;
}
