import { createHash, randomInt, timingSafeEqual } from 'node:crypto';

const ALPHANUMERIC = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/**
 * SHA-256 of a secret as base64url without padding, 43 characters: the form in which secrets are stored and compared.
 */
export function digest(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}

/**
 * Whether two secrets are the same. The comparison uses their hashes, so that its duration reveals neither their
 * lengths nor a common prefix.
 */
export function isSameSecret(candidate: string, expected: string): boolean {
  return timingSafeEqual(Buffer.from(digest(candidate)), Buffer.from(digest(expected)));
}

/** An unguessable secret of letters and digits; 30 characters hold 178 bits. */
export function randomSecret(length: number): string {
  let text = '';
  for (let i = 0; i < length; i += 1) text += ALPHANUMERIC[randomInt(ALPHANUMERIC.length)];
  return text;
}
