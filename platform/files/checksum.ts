import { createHash } from 'node:crypto';

/**
 * SHA-256 of a value's JSON, in hexadecimal: a changed digit of an id passes every check of its shape, but not this
 * one.
 */
export function checksumOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex');
}
