import { HIDDEN, isSecretName } from './secret-names.ts';

/** Parameters whose values are shown in any address, because none of them grants access. */
const VISIBLE_PARAMETERS: ReadonlySet<string> = new Set([
  'client_id',
  'compress',
  'encoding',
  'error',
  'ex',
  'is',
  'limit',
  'response_type',
  'scope',
  'size',
  'v',
  'wait',
  'with_counts',
]);
/** Form of names that programs use. A name of another form could itself be a secret. */
const PLAIN_NAME = /^[a-z][a-z_-]{0,31}$/i;
/** A value of such a parameter. */
const PLAIN_VALUE = /^[\w.,:+-]{0,100}$/;
/** Path segments that are followed by an id and a token. */
const HELD_BY_TOKEN: ReadonlySet<string> = new Set(['webhooks', 'interactions']);
/** An escaped delimiter of an address. Another address, with its own secrets, may begin there. */
const ESCAPED_SIGN = /%(?:2[356f]|3[adf])/i;
const VERSION = /^v\d{1,2}$/;
/**
 * Maximum length of a path segment that is shown. A longer segment may be a token, unless it is a number (characters).
 */
const MAX_SEGMENT = 24;

/** Whether a word is an address, or the part of an address with a path or parameters. */
export function isAddress(word: string): boolean {
  const begin = word.search(/[?#]/);
  return word.includes('/') || (begin !== -1 && word.includes('=', begin));
}

/**
 * An address without its secrets. It shows the values of parameters that are known not to be secret. It hides user info
 * before the host, tokens after the ids of webhooks and interactions, and path segments of more than `maxSegment`
 * characters.
 */
export function addressWithoutSecrets(address: string, maxSegment = MAX_SEGMENT): string {
  const { path, query, fragment } = partsOf(address);
  const visible = segmentsOf(withoutUserInfo(path)).map(({ text, isToken }) => {
    const isLong = text.length > maxSegment && !/^\d{1,20}$/.test(text);
    return isToken || isLong ? HIDDEN : text;
  });
  return [
    visible.join('/'),
    ...[query, fragment].map((part) => part.slice(0, 1) + parametersWithoutSecrets(part.slice(1))),
  ].join('');
}

/**
 * The address of a request that no operation declares. Its path shows only numbers and short segments that cannot be
 * tokens.
 */
export function requestWithoutSecrets(address: string, isWord: (segment: string) => boolean): string {
  const { path, query, fragment } = partsOf(address);
  let isBehindNumber = false;
  const visible = segmentsOf(withoutUserInfo(path)).map(({ text, isToken }) => {
    if (text === '' || isWord(text) || VERSION.test(text)) return text;
    if (/^\d{1,20}$/.test(text)) {
      isBehindNumber = true;
      return text;
    }
    return !isToken && !isBehindNumber && text.length <= MAX_SEGMENT && PLAIN_NAME.test(text) ? text : HIDDEN;
  });
  const parameters = [query, fragment].map(
    (part) => part.slice(0, 1) + parametersWithoutSecrets(part.slice(1)),
  );
  return [visible.join('/'), ...parameters].join('');
}

/**
 * Parameters in the form `a=b&c=d`, with the values that `isVisible` allows. By default, it allows those that are shown
 * in any address.
 */
export function parametersWithoutSecrets(
  text: string,
  isVisible: (name: string, value: string) => boolean = (name, value) =>
    VISIBLE_PARAMETERS.has(name) && PLAIN_VALUE.test(value),
): string {
  if (text === '') return text;
  return text
    .split('&')
    .map((pair) => {
      const end = pair.indexOf('=');
      const name = end === -1 ? pair : pair.slice(0, end);
      const value = end === -1 ? '' : pair.slice(end + 1);
      const plain = decoded(name);
      if (!PLAIN_NAME.test(plain.replaceAll(/[[\]]/g, ''))) return HIDDEN;
      if (value === '') return pair;
      return isVisible(plain, decoded(value.replaceAll('+', ' '))) && !isSecretName(plain)
        ? pair
        : `${name}=${HIDDEN}`;
    })
    .join('&');
}

/** Whether `redacted` is `address` without its secrets. A hidden part matches any text. */
export function isSameAddress(redacted: string, address: string): boolean {
  const [a, b] = [piecesOf(redacted), piecesOf(address)];
  return a.length === b.length && a.every((piece, index) => piece === HIDDEN || piece === b[index]);
}

/** Parts of an address between its delimiters. */
function piecesOf(address: string): readonly string[] {
  return address.split(/[/?#&=]/).map(decoded);
}

/** Splits an address. The query begins with `?` and the fragment with `#`. */
export function partsOf(address: string): {
  readonly path: string;
  readonly query: string;
  readonly fragment: string;
} {
  const [, path = '', query = '', fragment = ''] = /^([^?#]*)(\?[^#]*)?(#.*)?$/s.exec(address) ?? [];
  return { path, query, fragment };
}

function segmentsOf(path: string): readonly { readonly text: string; readonly isToken: boolean }[] {
  let [holder, id] = ['', ''];
  return path.split('/').map((text) => {
    // A slash may be written twice.
    if (text === '') return { text, isToken: false };
    const isHeld = HELD_BY_TOKEN.has(plainSegment(holder).toLowerCase()) && /^\d+$/.test(plainSegment(id));
    const isToken = isHeld || ESCAPED_SIGN.test(text);
    [holder, id] = [id, text];
    return { text, isToken };
  });
}

/** A path segment as a router reads it: decoded, without parameters (RFC 3986 section 3.3). */
function plainSegment(part: string): string {
  return decoded(part.split(';', 1)[0] ?? '');
}

/** Hides the user name and password before a host (RFC 3986 section 3.2.1). */
function withoutUserInfo(path: string): string {
  const host = path.indexOf('://') + 3;
  if (host === 2) return path;
  const end = path.indexOf('/', host);
  const at = path.slice(0, end === -1 ? undefined : end).lastIndexOf('@');
  return at < host ? path : `${path.slice(0, host)}${HIDDEN}${path.slice(at)}`;
}

/** Decodes percent signs into the bytes they stand for. A text with invalid percent signs is returned unchanged. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
