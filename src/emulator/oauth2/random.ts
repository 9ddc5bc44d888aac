import { randomInt } from 'node:crypto';

export { digest, isSameSecret } from '../api/secret.ts';

const alphanumeric = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** An unguessable secret of letters and digits; 30 characters hold 178 bits. */
export function randomSecret(length: number): string {
  let text = '';
  for (let i = 0; i < length; i += 1) text += alphanumeric[randomInt(alphanumeric.length)];
  return text;
}
