import { createHash } from 'node:crypto';

/**
 * Returns the SHA-256 of a value's JSON in hexadecimal. It detects a changed digit of an id, which no check of the
 * value's shape can detect.
 */
export function checksumOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex');
}
