// Vitest's global setup: one key for the id_tokens of all platforms that tests start. To make one takes half a second, which
// is longer than most of those tests.
import type { TestProject } from 'vitest/node';
import { IdTokenSigner, type SigningKey } from '../../src/emulator/accounts/oauth2/signing.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** As the storage of an emulator keeps it. */
    readonly signingKey: SigningKey;
  }
}

export default async function makeSigningKey({ provide }: TestProject): Promise<void> {
  const signer = new IdTokenSigner(undefined, async (key) => provide('signingKey', key));
  // It makes its key for whoever asks first.
  await signer.jwks();
}
