import { createHash } from 'node:crypto';

/** What a picture is known by, whose bytes or address is all that there is: 32 digits in hex, as in a CDN address. */
export function pictureHash(source: string): string {
  return createHash('sha256').update(source).digest('hex').slice(0, 32);
}
