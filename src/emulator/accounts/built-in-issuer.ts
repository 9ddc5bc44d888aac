import { createECDH, createHash } from 'node:crypto';

/**
 * An OpenID Connect issuer that every application accepts. Its address does not exist, because the emulator itself
 * contains the issuer's documents.
 */
export const BUILT_IN_ISSUER = 'https://idp.emulator.example';

/** Lifetime of an id_token of the issuer, in seconds. */
const LIFETIME_S = 3_600;

/** A private key as a JSON Web Key. It is no secret: the issuer exists so that anyone can sign with it. */
function privateKey() {
  const pair = createECDH('prime256v1');
  pair.setPrivateKey(createHash('sha256').update(`the key of ${BUILT_IN_ISSUER}`).digest());
  // An uncompressed point: 0x04, followed by the two coordinates.
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

/** Its constant key set. */
export function builtInKeys(): { readonly keys: readonly Readonly<Record<string, string>>[] } {
  const { d: _, ...key } = privateKey();
  return { keys: [key] };
}

/** Contents of a token of the built-in issuer. */
export interface IdTokenRequest {
  /** The issuer's id of the user. */
  readonly subject: string;
  /** The application's id. */
  readonly audience: string;
  readonly name?: string | undefined;
  readonly nonce?: string | undefined;
  /** Seconds since the Unix epoch. */
  readonly issuedAt: number;
}

/** Signs an id_token of the built-in issuer, valid for an hour. */
export async function builtInIdToken(request: IdTokenRequest): Promise<string> {
  const { subject, audience, name, nonce, issuedAt } = request;
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
