import { createLocalJWKSet, jwtVerify } from 'jose';
import { expect, it } from 'vitest';
import { IdTokenSigner, type SigningKey } from '../../../../src/emulator/accounts/oauth2/signing.ts';

const now = Math.floor(Date.now() / 1000);
const claims = { iss: 'http://127.0.0.1:1/api', sub: '1', aud: '2', iat: now, exp: now + 600, nonce: 'n' };

it('IdTokenSigner creates one key for simultaneous requests, stores it, and signs verifiable tokens', async () => {
  const kept: SigningKey[] = [];
  const signer = new IdTokenSigner(undefined, (key) => {
    kept.push(key);
    return Promise.resolve();
  });
  const [token, , set] = await Promise.all([signer.sign(claims), signer.sign(claims), signer.jwks()]);
  expect(kept).toHaveLength(1);
  expect(Object.keys(set.keys[0] ?? {}).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use']);
  const keys = createLocalJWKSet(set as unknown as Parameters<typeof createLocalJWKSet>[0]);
  const verified = await jwtVerify(token, keys, { issuer: claims.iss, audience: '2', algorithms: ['RS256'] });
  expect(verified.payload).toEqual(claims);

  const again = new IdTokenSigner(kept[0], () => Promise.reject(new Error('a second key was made')));
  expect(await again.jwks()).toEqual(set);
});
