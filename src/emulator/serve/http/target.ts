import { pairsOf, type Texts, textsOf } from './texts.ts';

/** The path and the query of a request. */
export interface RequestTarget {
  readonly pathname: string;
  readonly query: Texts;
}

/**
 * Percent-encoded characters that need no encoding: `@`, and the unreserved characters of RFC 3986 section 2.3. Some
 * programs encode them.
 */
const PLAIN = /%(?:40|2[DE]|3\d|4[1-9A-F]|5[\dAF]|6[1-9A-F]|7[\dAE])/gi;

const NO_QUERY: Texts = new Map();

/** Splits the target of a request. Characters that mean the same with and without encoding are decoded in the path. */
export function targetOf(url: string): RequestTarget {
  const at = url.indexOf('?');
  if (at < 0) return { pathname: plain(url), query: NO_QUERY };
  return { pathname: plain(url.slice(0, at)), query: textsOf(pairsOf(url.slice(at + 1))) };
}

function plain(path: string): string {
  // A literal percent sign must not become part of an encoded character.
  if (!path.includes('%') || /%(?![\dA-F]{2})/i.test(path)) return path;
  return path.replaceAll(PLAIN, (one) => String.fromCharCode(Number.parseInt(one.slice(1), 16)));
}
