import { createHash, randomInt, timingSafeEqual } from 'node:crypto';

const ALPHANUMERIC = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** SHA-256 as base64url without padding, 43 characters: the form in which a secret is stored and compared. */
export function digest(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}

/**
 * Whether two secrets are the same. Their hashes are compared: the duration reveals neither a length nor a common
 * start.
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
