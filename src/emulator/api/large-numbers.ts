const TEXT_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
/** More digits than a double holds for certain. */
const LARGE = /^-?\d{16,}$/;

/**
 * JSON with its large whole numbers as texts: libraries of languages whose integers are exact, such as discord.py, write ids as
 * numbers, which would be read as other ids here. What is no JSON stays none.
 */
export function largeNumbersAsTexts(json: string): string {
  return json.replace(TEXT_OR_NUMBER, (found) => (LARGE.test(found) ? `"${found}"` : found));
}
