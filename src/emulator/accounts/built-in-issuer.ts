import { createECDH, createHash } from 'node:crypto';

/** An OpenID Connect issuer that every application takes. It is nowhere: what it would serve is known here. */
export const BUILT_IN_ISSUER = 'https://idp.emulator.example';

/** How long its tokens are good, in seconds. */
const LIFETIME_S = 3_600;

/** A private key as a JSON Web Key. It keeps no secret: anybody may sign as this issuer, which is what it is for. */
function privateKey() {
  const pair = createECDH('prime256v1');
  pair.setPrivateKey(createHash('sha256').update(`the key of ${BUILT_IN_ISSUER}`).digest());
  // 0x04, and the two halves of a point.
  const point = pair.getPublicKey();
  return {
    kty: 'EC',
    crv: 'P-256',
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
    d: pair.getPrivateKey().toString('base64url'),
    kid: 'emulator',
    use: 'sig',
    alg: 'ES256',
  };
}

/** Its key set, always the same. */
export function builtInKeys(): { readonly keys: readonly Readonly<Record<string, string>>[] } {
  const { d: _, ...key } = privateKey();
  return { keys: [key] };
}

/** What a token of the built-in issuer says. */
export interface IdTokenAsk {
  /** What the issuer calls the user. */
  readonly subject: string;
  /** Who it is for: the application's id. */
  readonly audience: string;
  readonly name?: string | undefined;
  readonly nonce?: string | undefined;
  /** Seconds since the Unix epoch. */
  readonly issuedAt: number;
}

/** Signs an id_token as the built-in issuer, good for an hour. */
export async function builtInIdToken({
  subject,
  audience,
  name,
  nonce,
  issuedAt,
}: IdTokenAsk): Promise<string> {
  const { SignJWT } = await import('jose');
  const key = privateKey();
  return new SignJWT({
    iss: BUILT_IN_ISSUER,
    sub: subject,
    aud: audience,
    iat: issuedAt,
    exp: issuedAt + LIFETIME_S,
    ...(name === undefined ? {} : { preferred_username: name }),
    ...(nonce === undefined ? {} : { nonce }),
  })
    .setProtectedHeader({ alg: key.alg, typ: 'JWT', kid: key.kid })
    .sign(key);
}
