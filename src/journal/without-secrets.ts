import { parseExact, printExact } from '../../platform/exact-json.ts';

/**
 * Ends of the names under which tokens, codes and secrets go, or things that hold some. `openid_params` and `fingerprint`
 * are of log-ins that another program takes over.
 */
const NAMES = 'token|code|verifier|secret|password|ticket|authorization|assertion|fingerprint|openid_params';
/** A key whose text is one; a number there, such as an error's code, is none. */
const SECRET = new RegExp(`(?:${NAMES})s?$`, 'i');
/** What stands in the place of each. */
const HIDDEN = '[hidden]';
/** Deeper than any payload that is served. */
const MOST_LEVELS = 64;

/** A JSON value without the secrets in it; everything else stays as it is. */
export function withoutSecrets(value: unknown, isSecret = false, levels = MOST_LEVELS): unknown {
  if (typeof value === 'string') return isSecret && value !== '' ? HIDDEN : wordsWithoutSecrets(value);
  if (typeof value !== 'object' || value === null) return value;
  if (levels === 0) return '…';
  if (Array.isArray(value)) return value.map((item) => withoutSecrets(item, isSecret, levels - 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key,
      withoutSecrets(member, isSecret || SECRET.test(key), levels - 1),
    ]),
  );
}

/** The path of a request without its query; a long part that is no id may be a token. */
export function pathWithoutSecrets(address: string): string {
  const [path = ''] = address.split('?', 1);
  return path
    .split('/')
    .map((part) => (part.length > 24 && !/^\d+$/.test(part) ? HIDDEN : part))
    .join('/');
}

/** An address with its query: secret parameters, and parts of the path that may be tokens, are hidden. */
export function addressWithoutSecrets(address: string): string {
  const path = pathWithoutSecrets(address);
  const at = address.indexOf('?');
  return at === -1 ? path : `${path}?${queryWithoutSecrets(address.slice(at + 1))}`;
}

function queryWithoutSecrets(query: string): string {
  return query
    .split('&')
    .map((pair) => {
      const [name = ''] = pair.split('=', 1);
      const isSecret = SECRET.test(decoded(name)) || SIGNED.has(name);
      return isSecret && name.length + 1 < pair.length ? `${name}=${HIDDEN}` : pair;
    })
    .join('&');
}

/** Parameters that let whoever has the address in. */
const SIGNED: ReadonlySet<string> = new Set(['hm', 'sig', 'signature', 'key']);

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Headers that are secret as a whole, or but for their first word. */
const SECRET_HEADERS = /^(?:set-)?cookie$|^x-signature|token|secret|key$/i;
const AUTHORIZATION = /^(?:proxy-)?authorization$/i;
const ADDRESSES = /^(?:location|referer|origin)$/i;

/** The value of a header without what is secret in it; of credentials their scheme is left. */
export function headerWithoutSecrets(name: string, value: string): string {
  if (AUTHORIZATION.test(name)) {
    const [scheme = ''] = value.split(' ', 1);
    return scheme === value ? HIDDEN : `${scheme} ${HIDDEN}`;
  }
  if (SECRET_HEADERS.test(name)) return HIDDEN;
  return ADDRESSES.test(name) ? addressWithoutSecrets(value) : value;
}

/** What may stand between such a name and what it names, quotes and escapes of any kind, and the sign at its end. */
const BETWEEN = '(?:[^\\w,{}]|%[0-9a-f]{2}){0,8}?(?:[:=]|%3[ad])';
/**
 * What a text looks like that may hold a secret: such a name before a colon or an equals sign, but for a key of JSON with a
 * number behind it. A key that is written with escapes could be one, too.
 */
const SUSPICIOUS = new RegExp(
  `(?:${NAMES})s?(?:"\\s*:(?!\\s*(?:-?\\d|null|true|false))|(?!")${BETWEEN})|\\\\u|` +
    '/(?:webhooks|interactions)/\\d|(?:bearer|bot) [\\w.~+/-]{16}',
  'i',
);
/**
 * The same in words, with what belongs to the name. Behind a colon and a blank is a sentence, such as those of our errors,
 * unless it is quoted or too long for a word.
 */
const NAMED = new RegExp(
  `((?:${NAMES})s?${BETWEEN})(?:(?!\\s)((?:[^\\w,{}]|%2[02])*)[^\\s"'&\\\\,;}#%]+|(\\s+[\\\\"']+)[^"'\\\\]+|(\\s+)[\\w.~+/%-]{12,})`,
  'gi',
);
/** Tokens in addresses of webhooks and of interactions, and behind the word that says of which kind they are. */
const PLACED = /(\/(?:webhooks|interactions)\/\d+\/|(?:bearer|bot) )[\w.~%+/-]{16,}={0,2}/gi;

/**
 * A text of JSON without the secrets in it, as it came where there is none to be seen; `(not JSON)` and its length for what
 * cannot be read, because nobody knows what is in it, and for a bare text. What was hidden so stays as it is.
 */
export function textWithoutSecrets(text: string): string {
  if (isObject(text) && !SUSPICIOUS.test(text)) return text;
  if (text === '' || UNREAD.test(text)) return text;
  let value: unknown;
  try {
    value = parseExact(text);
  } catch {
    return unread(text);
  }
  return typeof value === 'string' ? unread(text) : printExact(withoutSecrets(value));
}

/** Words for people, or a part of an address, without the secrets that they quote. */
export function wordsWithoutSecrets(text: string): string {
  if (!SUSPICIOUS.test(text)) return text;
  return text.replace(PLACED, `$1${HIDDEN}`).replace(NAMED, `$1$2$3$4${HIDDEN}`);
}

const UNREAD = /^\(not JSON, \d{1,10} characters\)$/;

function unread(text: string): string {
  return `(not JSON, ${text.length} characters)`;
}

/** Whether it begins and ends as an object or a list does: to parse each would cost more than all else. */
function isObject(text: string): boolean {
  const first = text.charCodeAt(0);
  const second = text.charCodeAt(1);
  const last = text.charCodeAt(text.length - 1);
  if (first === BRACE)
    return (second === QUOTE || second === BRACE_END || second <= BLANK) && last === BRACE_END;
  return first === BRACKET && last === BRACKET_END;
}

const BLANK = 0x20;
const QUOTE = 0x22;
const BRACKET = 0x5b;
const BRACKET_END = 0x5d;
const BRACE = 0x7b;
const BRACE_END = 0x7d;
