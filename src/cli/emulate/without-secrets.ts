/** Keys whose text is a token, a code or a secret, or holds some; a number there, such as an error's code, is none. */
const SECRET = /(?:token|code|verifier|secrets?|password|ticket|authorization)$/i;
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
