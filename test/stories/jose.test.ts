import {
  createLocalJWKSet,
  createRemoteJWKSet,
  decodeProtectedHeader,
  errors,
  type JSONWebKeySet,
  jwtVerify,
} from 'jose';
import { expect, it } from 'vitest';
import type { TestEmulator } from '../../src/testing/testing.ts';
import { APP, story, tokensOf } from './story.ts';

async function idToken(emulator: TestEmulator): Promise<string> {
  return (await tokensOf(emulator, { scope: 'openid identify', nonce: 'n 1' })).id_token;
}

it('jose verifies the id_token with the published keys, and rejects a wrong audience, expiry or signature', async () => {
  const emulator = await story();
  const token = await idToken(emulator);
  const keys = createRemoteJWKSet(new URL(`${emulator.api}/oauth2/keys`));
  const expected = { issuer: new URL(emulator.api).origin, audience: APP, algorithms: ['RS256'] };
  const { payload, protectedHeader } = await jwtVerify(token, keys, expected);
  expect(payload).toMatchObject({ nonce: 'n 1', aud: APP });
  expect(keys.jwks()?.keys.map(({ kid }) => kid)).toContain(protectedHeader.kid);
  await expect(jwtVerify(token, keys, { ...expected, audience: '1' })).rejects.toThrow(
    errors.JWTClaimValidationFailed,
  );
  const late = new Date((payload.exp ?? 0) * 1000 + 1000);
  await expect(jwtVerify(token, keys, { ...expected, currentDate: late })).rejects.toThrow(errors.JWTExpired);
  const [head, , signature] = token.split('.');
  const forged = `${head}.${Buffer.from(JSON.stringify({ ...payload, sub: '1' })).toString('base64url')}.${signature}`;
  await expect(jwtVerify(forged, keys, expected)).rejects.toThrow(errors.JWSSignatureVerificationFailed);
});

it('jose finds no private part in the keys, and another emulator has different keys', async () => {
  const [one, other] = [await story(), await story()];
  const jwks = (await (await fetch(`${one.api}/oauth2/keys`)).json()) as JSONWebKeySet;
  for (const key of jwks.keys) {
    expect(Object.keys(key).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use']);
    expect(key).toMatchObject({ kty: 'RSA', use: 'sig', alg: 'RS256' });
  }
  const foreign = await idToken(other);
  expect(decodeProtectedHeader(foreign).kid).not.toBe(jwks.keys[0]?.kid);
  await expect(jwtVerify(foreign, createLocalJWKSet(jwks))).rejects.toThrow(errors.JWKSNoMatchingKey);
});
