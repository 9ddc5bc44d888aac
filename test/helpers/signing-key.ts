// Vitest's global setup: one key for the id_tokens of all platforms that tests start. To make one takes half a second, which
// is longer than most of those tests.
import { generateKeyPairSync } from 'node:crypto';
import { calculateJwkThumbprint } from 'jose';
import type { TestProject } from 'vitest/node';
import type { SigningKey } from '../../src/emulator/oauth2/signing.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** As the storage of an emulator keeps it. */
    readonly signingKey: SigningKey;
  }
}

export default async function makeSigningKey({ provide }: TestProject): Promise<void> {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const jwk = privateKey.export({ format: 'jwk' });
  const kid = await calculateJwkThumbprint(jwk);
  provide('signingKey', { ...(jwk as Record<string, string>), kid, use: 'sig', alg: 'RS256' });
}
