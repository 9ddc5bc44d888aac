import { parseExact, printExact } from '../base/exact-json.ts';

/**
 * Ends of the names under which tokens, codes and secrets go, or things that hold some. `openid_params` and `fingerprint`
 * are of log-ins that another program takes over.
 */
const NAMES =
  'token|token_hint|code|verifier|secret|password|passwd|passphrase|otp|ticket|authorization|assertion|fingerprint|openid_params';
/** A key whose text is one; a number there, such as an error's code, is none. */
const SECRET = new RegExp(`(?:${NAMES})s?[^a-z0-9]*$|passw|passphrase`, 'i');
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
  const named = isSecretField(value as Fields);
  const labelled = isSecretName(value as Fields, 'label');
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => {
      const isField = (named && VALUES.has(key)) || (labelled && key === 'component');
      const isHidden = isSecret || SECRET.test(key) || isField;
      // What somebody gave for it may be a number.
      if (named && VALUES.has(key) && typeof member === 'number') return [key, HIDDEN];
      return [key, withoutSecrets(member, isHidden, levels - 1)];
    }),
  );
}

type Fields = Readonly<Record<string, unknown>>;

/** What names an option of a command or a field of a modal, and where stands what somebody gave for it. */
const FIELD_NAMES = ['name', 'custom_id', 'label'] as const;
const VALUES: ReadonlySet<string> = new Set(['value', 'values']);
/** The name of a field whose value is a secret: one of those anywhere in it, or as its end. */
const SECRET_FIELD = new RegExp(`token|secret|passw|passphrase|(?:${NAMES})s?$`, 'i');

function isSecretField(fields: Fields): boolean {
  if (!Object.hasOwn(fields, 'value') && !Object.hasOwn(fields, 'values')) return false;
  return FIELD_NAMES.some((key) => isSecretName(fields, key));
}

function isSecretName(fields: Fields, key: (typeof FIELD_NAMES)[number]): boolean {
  const name = Object.hasOwn(fields, key) ? fields[key] : undefined;
  return typeof name === 'string' && SECRET_FIELD.test(name);
}

/** The path of a request without query and fragment; a long part that is no id may be a token, and what is behind some ids is one. */
export function pathWithoutSecrets(address: string): string {
  const [path = ''] = address.split(/[?#]/, 1);
  let [holder, id] = ['', ''];
  return path
    .split('/')
    .map((part) => {
      // A slash may be written twice.
      if (part === '') return part;
      const isToken = HELD_BY_TOKEN.has(segmentOf(holder).toLowerCase()) && /^\d+$/.test(segmentOf(id));
      [holder, id] = [id, part];
      return (isToken || part.length > 24) && !/^\d+$/.test(part) ? HIDDEN : part;
    })
    .join('/');
}

/** A part of a path as a router reads it: decoded, without parameters (RFC 3986 section 3.3). */
function segmentOf(part: string): string {
  return decoded(part.replace(/;.*/s, ''));
}

/** Parts of a path behind which an id and a token stand. */
const HELD_BY_TOKEN: ReadonlySet<string> = new Set(['webhooks', 'interactions']);

/** An address with its query and its fragment: secret parameters, and parts of the path that may be tokens, are hidden. */
export function addressWithoutSecrets(address: string): string {
  const [, query = '', fragment = ''] = /^[^?#]*(\?[^#]*)?(#.*)?$/s.exec(address) ?? [];
  const path = pathWithoutSecrets(address.replace(USER_INFO, `$1${HIDDEN}@`));
  return [path, ...[query, fragment].map(parametersWithoutSecrets)].join('');
}

/** Name and password before a host (RFC 3986 section 3.2.1). */
const USER_INFO = /^([a-z][\w+.-]*:\/\/)[^/?#@]*@/i;

/** `?a=b&c=d`, or with `#` before it, as the answer to an implicit grant has it (RFC 6749 section 4.2.2). */
function parametersWithoutSecrets(text: string): string {
  return text.slice(0, 1) + queryWithoutSecrets(text.slice(1));
}

function queryWithoutSecrets(query: string): string {
  return query
    .split('&')
    .map((pair) => {
      const [name = ''] = pair.split('=', 1);
      const plain = decoded(name);
      const isNamed = SECRET.test(plain) || SIGNED.test(plain);
      const isBuried = pair.includes('%25') && SUSPICIOUS.test(decodedOften(pair));
      const hasValue = name.length + 1 < pair.length;
      return hasValue && (isNamed || isBuried) ? `${name}=${HIDDEN}` : wordsWithoutSecrets(pair);
    })
    .join('&');
}

/** Parameters that let whoever has the address in. */
const SIGNED = /^(?:hm|sig|jwt|pwd|session(?:_?id)?|(?:.*[-_])?signature|(?:.*[-_])?(?:api)?_?key)$/i;

/** As a program would read it that decodes more than once. */
function decodedOften(text: string): string {
  let plain = text;
  for (let times = 0; times < 3 && plain.includes('%'); times += 1) plain = decoded(plain);
  return plain;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Headers that are secret as a whole, or but for their first word, where that is a scheme. */
const SECRET_HEADERS =
  /^(?:set-)?cookie$|^(?:x-)?(?:signature|fingerprint|dpop|auth$)|^sec-websocket-protocol$|token|secret|key$|authorization|(?:^|[-_])mfa(?:$|[-_])|session|password/i;
const AUTHORIZATION = /^(?:proxy-)?authorization$/i;
const SCHEME = /^(?:basic|bearer|bot|digest|dpop|negotiate|hoba|mutual|signature)$/i;
/** Headers whose value is an address. */
const ADDRESSES = /^(?:(?:content-)?location|referer|origin)$/i;
/** Headers that name addresses between brackets (RFC 8288 section 3), or behind `url=`. */
const LISTS = /^(?:link|refresh)$/i;
const LISTED = /(<)([^>]*)|(\burl\s*=\s*["']?)([^"'\s]+)/gi;
/** A query or a fragment of an address within any other header. */
const QUERY = /[?#][^\s<>"'?#]+/g;

/** The value of a header without what is secret in it; of credentials their scheme is left. */
export function headerWithoutSecrets(name: string, value: string): string {
  if (AUTHORIZATION.test(name)) {
    const [scheme = ''] = value.split(' ', 1);
    return scheme !== value && SCHEME.test(scheme) ? `${scheme} ${HIDDEN}` : HIDDEN;
  }
  if (SECRET_HEADERS.test(name)) return HIDDEN;
  if (ADDRESSES.test(name)) return addressWithoutSecrets(value);
  const words = wordsWithoutSecrets(value);
  const listed = LISTS.test(name) ? words.replace(LISTED, listedWithoutSecrets) : words;
  return listed.replace(QUERY, parametersWithoutSecrets);
}

function listedWithoutSecrets(_: string, bracket = '', inner = '', before = '', address = ''): string {
  return bracket + before + addressWithoutSecrets(inner || address);
}

/** What a sign of an address begins with that was escaped, and escaped again with the address that holds this one. */
const ESCAPED = '%(?:25){0,3}';
/** What may stand between such a name and what it names, quotes and escapes of any kind, and the sign at its end. */
const BETWEEN = `(?:[^\\w,{}]|${ESCAPED}[0-9a-f]{2}){0,8}?(?:[:=]|${ESCAPED}3[ad])`;
/** Between parts of a path: programs of PHP write `\/` in JSON, some write a slash twice, and an address may be in a query. */
const SLASHES = `(?:\\\\{0,4}/|${ESCAPED}2f){1,4}`;
/** Before the signature of a file, in an address, in HTML and within another address. */
const SIGNED_BY = `(?:[?&;]|${ESCAPED}(?:3f|26))hm(?:=|${ESCAPED}3d)`;
/**
 * What a text looks like that may hold a secret: such a name before a colon or an equals sign, but for a key of JSON with a
 * number behind it. A key that is written with escapes could be one, too.
 */
const SUSPICIOUS = new RegExp(
  `(?:${NAMES})s?(?:[^a-z0-9"]*"\\s*:(?!\\s*(?:-?\\d|null|true|false))|(?!")${BETWEEN})|\\\\u|passw|passphrase|` +
    `(?:/|${ESCAPED}2f)(?:webhooks|interactions)${SLASHES}\\d|(?:bearer|bot) [\\w.~+/-]{16}|${SIGNED_BY}|` +
    // The name of a field of a form, beside its value.
    `"(?:name|custom_id|label)"\\s*:\\s*"(?:[^"\\\\]|\\\\.)*?(?:${NAMES}|passw)`,
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
const PLACED = new RegExp(
  `((?:/|${ESCAPED}2f)(?:webhooks|interactions)${SLASHES}\\d+${SLASHES})[\\w.~%+-]+|` +
    '((?:bearer|bot) )[\\w.~+%/-]{16,}={0,2}|' +
    // Of any length where the name of the header stands before it.
    `(authorization[^\\w,{}]{1,8}(?:basic|bearer|bot|token) {1,4})[^\\s"'\\\\,;]+`,
  'gi',
);
/** What lets whoever has the address of a file in. */
const SIGNATURE = new RegExp(`(${SIGNED_BY})[\\w%-]+`, 'gi');

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
  return text
    .replace(SIGNATURE, `$1${HIDDEN}`)
    .replace(PLACED, `$1$2$3${HIDDEN}`)
    .replace(NAMED, `$1$2$3$4${HIDDEN}`);
}

const UNREAD = /^\(not JSON, \d{1,10} characters\)$/;

/** What stands in the place of a text of which nobody knows what is in it. */
export function unread(text: string): string {
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
