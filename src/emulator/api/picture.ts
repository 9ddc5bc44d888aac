import { createHash } from 'node:crypto';

/** Hash of a picture's bytes or address: 32 hex digits, the format of CDN URLs. */
export function pictureHash(source: string | Buffer): string {
  return createHash('sha256').update(source).digest('hex').slice(0, 32);
}
