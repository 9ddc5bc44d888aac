/** What stands in the place of a secret. */
export const HIDDEN = '[hidden]';

/**
 * Ends of the names under which tokens, codes and secrets go, or things that hold some. `openid_params` and `fingerprint`
 * are of log-ins that another program takes over.
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
/** Whole names: signatures of addresses of files (`hm`), which let whoever has one read the file. */
const WHOLE: ReadonlySet<string> = new Set(['hm', 'signature']);
/** Wherever in a name it stands, as in `password_hint` and `Passwort`. */
const ANYWHERE = ['passw', 'passphrase'];

/** Whether what goes by this name is a secret, however the name is written. A number there, such as an error's code, is none. */
export function isSecretName(name: string): boolean {
  const letters = name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
  if (WHOLE.has(letters)) return true;
  if (ANYWHERE.some((part) => letters.includes(part))) return true;
  return ENDS.some((end) => letters.endsWith(end) || letters.endsWith(`${end}s`));
}
