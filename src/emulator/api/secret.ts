import { createHash, timingSafeEqual } from 'node:crypto';

/** SHA-256 as base64url without padding, 43 characters: how a secret is kept and compared. */
export function digest(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}

/** Whether two secrets are the same. Their hashes are compared: neither a length nor a common start shows in the time taken. */
export function isSameSecret(given: string, expected: string): boolean {
  return timingSafeEqual(Buffer.from(digest(given)), Buffer.from(digest(expected)));
}
