/**
 * The parsed address, or undefined where the text is no address. `URL.canParse` must not be used instead: Node 20
 * compiles a hot call of it to code that takes Latin-1 text for UTF-8, and from then on it rejects
 * `https://bücher.example`.
 */
export function parseUrl(text: string, base?: string | URL): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}

/** Characters of a host name, and of a segment of a path. */
const NAME = String.raw`\w\-.~%!$&'()*+,;=`;
const SEGMENT = `${NAME}:@`;
const AUTHORITY = String.raw`(?:[${NAME}:]*@)?(?:\[([\da-f:.]+)\]|[${NAME}]*)(?::\d*)?`;
const PATH = `(?:/[${SEGMENT}]*)*`;
const URI = new RegExp(
  String.raw`^[a-z][a-z\d+,.-]*:(?://${AUTHORITY}${PATH}|/|/?[${SEGMENT}]+${PATH})` +
    String.raw`(?:\?[${SEGMENT}/?]*)?(?:#[${SEGMENT}/?]*)?$`,
  'i',
);

/**
 * Whether a client takes the text for a URI: that of RFC 3986, in ASCII, without blanks. The client's rule is looser in
 * two points: `%` may stand alone, and after `//` the host may be missing and the port may be any number.
 */
export function isUri(text: string): boolean {
  const match = URI.exec(text);
  return match !== null && (match[1] === undefined || parseUrl(`http://[${match[1]}]`) !== undefined);
}
