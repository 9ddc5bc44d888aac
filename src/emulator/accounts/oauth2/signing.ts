import { createHash } from 'node:crypto';

/** Length of the modulus in bits: the minimum of RFC 7518 section 3.3. */
const BITS = 2048;

/** A private RSA key as a JSON Web Key; every member is a text. */
export type SigningKey = Readonly<Record<string, string>>;

/** Claims of an id_token (OpenID Connect Core section 2). Times are seconds since the Unix epoch. */
export interface IdTokenClaims {
  readonly iss: string;
  readonly sub: string;
  readonly aud: string;
  readonly iat: number;
  readonly exp: number;
  readonly nonce?: string;
  /** Binds it to its access token. */
  readonly at_hash?: string;
}

/** `at_hash` of an access token (OpenID Connect Core section 3.1.3.6): the first half of its SHA-256. */
export function hashOfToken(accessToken: string): string {
  return createHash('sha256').update(accessToken).digest().subarray(0, 16).toString('base64url');
}

const publicMembers: readonly string[] = ['kty', 'n', 'e', 'kid', 'use', 'alg'];

/** Signs id_tokens with RS256. The key and the libraries for it are loaded on first use. */
export class IdTokenSigner {
  readonly #store: (key: SigningKey) => Promise<unknown>;
  #key: SigningKey | undefined;
  #making: Promise<SigningKey> | undefined;

  constructor(key: SigningKey | undefined, store: (key: SigningKey) => Promise<unknown>) {
    this.#key = key;
    this.#store = store;
  }

  async #current(): Promise<SigningKey> {
    if (this.#key !== undefined) return this.#key;
    this.#making ??= this.#make();
    try {
      return await this.#making;
    } finally {
      this.#making = undefined;
    }
  }

  async #make(): Promise<SigningKey> {
    const { calculateJwkThumbprint, exportJWK, generateKeyPair } = await import('jose');
    const { privateKey } = await generateKeyPair('RS256', { extractable: true, modulusLength: BITS });
    const jwk = await exportJWK(privateKey);
    const kid = await calculateJwkThumbprint(jwk);
    const key = { ...(jwk as Record<string, string>), kid, use: 'sig', alg: 'RS256' };
    this.#key = key;
    await this.#store(key);
    return key;
  }

  async sign(claims: IdTokenClaims): Promise<string> {
    const key = await this.#current();
    const { SignJWT } = await import('jose');
    return new SignJWT({ ...claims })
      .setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid: key['kid'] ?? '' })
      .sign(key);
  }

  /** The public half as a JWK set (RFC 7517 section 5). */
  async jwks(): Promise<{ readonly keys: readonly SigningKey[] }> {
    const key = await this.#current();
    return {
      keys: [Object.fromEntries(Object.entries(key).filter(([member]) => publicMembers.includes(member)))],
    };
  }
}
