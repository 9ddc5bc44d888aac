import type { JSONWebKeySet } from 'jose';
import { ApiError } from '../api/api-error.ts';
import { BUILT_IN_ISSUER, builtInKeys } from './built-in-issuer.ts';
import type { External } from './external.ts';
import { issuerFault } from './issuer-name.ts';
import type { ExternalIssuer } from './records.ts';

/** Signature algorithms that the platform accepts. Algorithms with a shared secret, and `none`, are not among them. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'ES256', 'ES384', 'ES512', 'PS256', 'PS384', 'PS512'];

/** Maximum age of a token (`OLDEST_S`) and maximum clock difference (`AHEAD_S`), in seconds. */
const OLDEST_S = 7 * 86_400;
const AHEAD_S = 60;
const MAX_SUBJECT_LENGTH = 1024;

type Fields = Readonly<Record<string, unknown>>;

/** An issuer of an application, with every document of the issuer. */
type Issuer = Pick<ExternalIssuer, 'issuer' | 'client_id' | 'discovery' | 'jwks'>;

const builtIn = (): Issuer => ({
  issuer: BUILT_IN_ISSUER,
  client_id: null,
  discovery: null,
  jwks: builtInKeys(),
});

/**
 * Identifies the subject of an OpenID Connect id_token. Nothing is fetched: the issuer's documents are in the fixture.
 * @throws ApiError 530001 to 530004, 530008, 530009, 530020 or 530027.
 */
export async function externalOf(
  token: string,
  {
    application,
    issuers,
    now,
  }: {
    readonly application: string;
    readonly issuers: readonly Issuer[];
    /** The current time in milliseconds since the Unix epoch. */
    readonly now: number;
  },
): Promise<External> {
  const { header, claims } = partsOf(token);
  const { alg, kid } = header;
  if (typeof alg !== 'string' || !ALGORITHMS.includes(alg)) throw new ApiError('InvalidOIDCJWTToken');
  if (typeof kid !== 'string' || kid === '') throw new ApiError('IdTokenJWTHasNoKeyId');
  // An application's own issuers take precedence over the built-in one.
  const issuer = [...issuers, builtIn()].find((one) => one.issuer === claims['iss']);
  if (issuer === undefined) throw new ApiError('IdTokenJWTIssuerMismatch');
  if (!algorithmsOf(issuer).includes(alg)) throw new ApiError('InvalidOIDCJWTToken');
  await checkSignature(token, alg, keysOf(issuer));
  checkClaims(claims, issuer.client_id ?? application, Math.floor(now / 1000));
  const { sub, preferred_username: name } = claims;
  return {
    provider: issuer.issuer,
    externalUserId: sub as string,
    name: typeof name === 'string' && name.length >= 1 && name.length <= 32 ? name : null,
  };
}

/** Parses a token without verifying it. */
function partsOf(token: string): { readonly header: Fields; readonly claims: Fields } {
  const [, header, claims] = /^([\w-]+)\.([\w-]+)\.([\w-]*)$/.exec(token) ?? [];
  const parsed = [header, claims].map(jsonOf);
  const [first, second] = parsed;
  if (first === undefined || second === undefined) throw new ApiError('InvalidOIDCJWTToken');
  // The extensions `crit` and `b64` change the meaning of the signature, and neither is supported.
  if (Object.hasOwn(first, 'crit') || Object.hasOwn(first, 'b64')) throw new ApiError('InvalidOIDCJWTToken');
  return { header: first, claims: second };
}

function jsonOf(part: string | undefined): Fields | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part ?? '', 'base64url').toString('utf8'));
    return isFields(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The algorithms that the discovery document names. @throws ApiError 530008 for an invalid document. */
function algorithmsOf({ issuer, discovery }: Issuer): readonly string[] {
  if (discovery === null) return ALGORITHMS;
  const { issuer: named, jwks_uri, id_token_signing_alg_values_supported: listed } = discovery;
  const supported = Array.isArray(listed) ? ALGORITHMS.filter((one) => listed.includes(one)) : [];
  if (named !== issuer)
    throw new ApiError('OIDCConfigurationNotFound', {
      advice: 'the issuer in the discovery document is another',
    });
  if (typeof jwks_uri !== 'string' || issuerFault(jwks_uri.split(/[?#]/)[0] ?? '') !== undefined) {
    throw new ApiError('OIDCConfigurationNotFound', {
      advice: 'the jwks_uri in the discovery document is no https address of a public name',
    });
  }
  if (supported.length === 0) {
    const wanted = `one of ${ALGORITHMS.join(', ')}`;
    throw new ApiError('OIDCConfigurationNotFound', {
      advice: `id_token_signing_alg_values_supported in the discovery document has not ${wanted}`,
    });
  }
  return supported;
}

/** The public keys of an issuer. @throws ApiError 530009 when the key set is missing or invalid. */
function keysOf({ jwks }: Issuer): JSONWebKeySet {
  const keys = jwks?.['keys'];
  if (!Array.isArray(keys) || keys.length === 0 || !keys.every(isFields))
    throw new ApiError('OIDCJWKSNotFound');
  // A fixture may also contain the private half of a key. It is removed, because only the public half may verify a
  // token.
  const halves = keys.map((key) => Object.fromEntries(Object.entries(key).filter(([name]) => name !== 'd')));
  return { keys: halves as unknown as JSONWebKeySet['keys'] };
}

async function checkSignature(token: string, alg: string, keys: JSONWebKeySet): Promise<void> {
  const { compactVerify, createLocalJWKSet } = await import('jose');
  try {
    await compactVerify(token, createLocalJWKSet(keys), { algorithms: [alg] });
  } catch {
    // The causes include an unknown key, a key of another type, and a changed token.
    throw new ApiError('InvalidOIDCJWTToken');
  }
}

function checkClaims({ sub, aud, exp, iat, nbf, nonce }: Fields, audience: string, now: number): void {
  const isWhole =
    typeof sub === 'string' &&
    sub.length >= 1 &&
    sub.length <= MAX_SUBJECT_LENGTH &&
    isTime(exp) &&
    isTime(iat) &&
    (nbf === undefined || (isTime(nbf) && nbf <= now + AHEAD_S)) &&
    (nonce === undefined || typeof nonce === 'string');
  if (!isWhole || iat > now + AHEAD_S) throw new ApiError('InvalidOIDCJWTToken');
  if (!(Array.isArray(aud) ? aud : [aud]).includes(audience))
    throw new ApiError('IdTokenJWTAudienceMismatch');
  if (now >= exp) throw new ApiError('IdTokenJWTExpired');
  if (now - iat > OLDEST_S) throw new ApiError('IdTokenJWTIssuedTooLongAgo');
}

function isTime(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}
