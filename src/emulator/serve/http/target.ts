import { pairsOf, type Texts, textsOf } from './texts.ts';

/** What a request asks for: its path, and what its query says. */
export interface RequestTarget {
  readonly pathname: string;
  readonly query: Texts;
}

/** `@`, and the letters, digits and marks of RFC 3986 section 2.3, as some programs write them. */
const PLAIN = /%(?:40|2[DE]|3\d|4[1-9A-F]|5[\dAF]|6[1-9A-F]|7[\dAE])/gi;

/** Takes the target of a request apart. What means the same in a path whether it is encoded or not is written plain. */
export function targetOf(url: string): RequestTarget {
  const [path = '', ...rest] = url.split('?');
  return { pathname: plain(path), query: textsOf(pairsOf(rest.join('?'))) };
}

function plain(path: string): string {
  // A sign that encodes nothing must not become part of one that does.
  if (!path.includes('%') || /%(?![\dA-F]{2})/i.test(path)) return path;
  return path.replaceAll(PLAIN, (one) => String.fromCharCode(Number.parseInt(one.slice(1), 16)));
}
