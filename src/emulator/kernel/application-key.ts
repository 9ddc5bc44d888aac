import { createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';

/** DER header of an Ed25519 private key (RFC 8410 section 7), which precedes the 32 bytes of the key. */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');
/** Length of the DER header that precedes the 32 bytes of a public key (bytes). */
const SPKI_LENGTH = 12;

/**
 * Ed25519 key that signs requests to an application. The key is derived from the id alone, so that an app under test
 * can have the public half in its settings; it protects no secret.
 */
export function signingKeyOf(applicationId: string): KeyObject {
  const seed = createHash('sha256').update(`the key of application ${applicationId}`).digest();
  return createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' });
}

/** Public half of the signing key in hexadecimal: `verify_key` of the application. */
export function verifyKeyOf(applicationId: string): string {
  const der = createPublicKey(signingKeyOf(applicationId)).export({ format: 'der', type: 'spki' });
  return der.subarray(SPKI_LENGTH).toString('hex');
}
