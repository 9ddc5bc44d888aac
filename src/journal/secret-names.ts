/** Replacement of a secret. */
export const HIDDEN = '[hidden]';

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
 * Ends of the names of tokens, codes and secrets, or of objects that contain some. `openid_params` and `fingerprint`
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
/** Whole names: a signature of a file's address (`hm`) gives access to the file. */
const WHOLE: ReadonlySet<string> = new Set(['hm', 'signature']);
/** At any position of a name, as in `password_hint` and `Passwort`. */
const ANYWHERE = ['passw', 'passphrase'];

/**
 * Whether a value of this name is a secret, in any spelling of the name. A number there, such as an error's code,
 * is none.
 */
export function isSecretName(name: string): boolean {
  const letters = name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
  if (WHOLE.has(letters)) return true;
  if (ANYWHERE.some((part) => letters.includes(part))) return true;
  return ENDS.some((end) => letters.endsWith(end) || letters.endsWith(`${end}s`));
}
