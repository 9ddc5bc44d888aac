/** Keys whose text is a token, a code or a secret, or holds some; a number there, such as an error's code, is none. */
const SECRET = /(?:token|code|verifier|secrets?|password|ticket|authorization|assertion)$/i;
/** What stands in the place of each. */
const HIDDEN = '[hidden]';
/** Deeper than any payload that is served. */
const MOST_LEVELS = 64;

/** A JSON value without the secrets in it; everything else stays as it is. */
export function withoutSecrets(value: unknown, isSecret = false, levels = MOST_LEVELS): unknown {
  if (typeof value === 'string') return isSecret && value !== '' ? HIDDEN : value;
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

/**
 * What a text of JSON looks like that may hold a secret: the end of one of those keys with a text, a list or an object behind it.
 * A key that is written with escapes could be one, too.
 */
const SUSPICIOUS =
  /(?:token|code|verifier|secrets?|password|ticket|authorization|assertion)"\s*:\s*["[{]|\\u|\/webhooks\/\d+\/|\/interactions\/\d+\//i;

/** Tokens in addresses of webhooks and of interactions. */
const IN_ADDRESS = /(\/(?:webhooks|interactions)\/\d+\/)[\w.%-]{16,}/g;

/**
 * A text of JSON without the secrets in it, as it came where there is none to be seen; `(not JSON)` and its length for what
 * cannot be read, because nobody knows what is in it.
 */
export function textWithoutSecrets(text: string): string {
  if (!SUSPICIOUS.test(text)) return text;
  let value: unknown;
  try {
    value = JSON.parse(text) as unknown;
  } catch {
    return `(not JSON, ${text.length} characters)`;
  }
  return addressesWithoutSecrets(JSON.stringify(withoutSecrets(value)));
}

/** The tokens of webhooks and interactions in it are hidden. */
function addressesWithoutSecrets(text: string): string {
  return text.replace(IN_ADDRESS, `$1${HIDDEN}`);
}
