/** Replacement of a secret. */
export const HIDDEN = '[hidden]';

/**
 * Whether a value of an entry's content has the form in which the journal writes a hidden value: a secret, or the kind of a
 * value that no schema declares.
 */
export function isHiddenText(value: unknown): value is string {
  return typeof value === 'string' && /^(?:\[hidden\]|string\(\d{1,10}\)|number)$/.test(value);
}

/** Names of authentication schemes, in lower case: the credentials follow (RFC 9110 section 11.6.2; `Bot` is the platform's). */
export const SCHEMES: ReadonlySet<string> = new Set([
  'basic',
  'bearer',
  'bot',
  'digest',
  'dpop',
  'hoba',
  'mutual',
  'negotiate',
  'signature',
  'token',
]);

/**
 * Endings of names of tokens, codes and secrets, or of objects that contain them. `openid_params` and `fingerprint`
 * belong to log-ins that another program takes over.
 */
const ENDS = [
  'token',
  'tokenhint',
  'code',
  'verifier',
  'secret',
  'password',
  'passwd',
  'passphrase',
  'otp',
  'ticket',
  'authorization',
  'assertion',
  'fingerprint',
  'openidparams',
];
/** Complete names of secrets. `hm` is the signature in a file's address, which gives access to the file. */
const WHOLE = ['hm', 'signature'];
/** Parts that mark a secret at any position of a name, as in `password_hint` and `Passwort`. */
const ANYWHERE = ['passw', 'passphrase'];
const SECRET = new RegExp(`^(?:${WHOLE.join('|')})$|${ANYWHERE.join('|')}|(?:${ENDS.join('|')})s?$`);

/**
 * Whether a value with this name is a secret, in any spelling of the name. Numbers with such a name, such as the `code`
 * of an error, are not secret.
 */
export function isSecretName(name: string): boolean {
  return SECRET.test(name.toLowerCase().replaceAll(/[^a-z0-9]/g, ''));
}
