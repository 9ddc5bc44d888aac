import { createHash, randomInt } from 'node:crypto';

const alphanumeric = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
/** No 0/o, 1/l/i: what a person types must not depend on the font. */
const typeable = 'abcdefghjkmnpqrstuvwxyz23456789';

function pick(alphabet: string, length: number): string {
  let text = '';
  for (let i = 0; i < length; i += 1) text += alphabet[randomInt(alphabet.length)];
  return text;
}

/** An unguessable secret of letters and digits; 30 characters hold 178 bits. */
export function randomSecret(length: number): string {
  return pick(alphanumeric, length);
}

/** A five-character id for people, different from every one in `taken`. */
export function typeableId(taken: (id: string) => boolean): string {
  for (;;) {
    const id = pick(typeable, 5);
    if (!taken(id)) return id;
  }
}

/** SHA-256 as base64url without padding, 43 characters: how a secret is kept and compared. */
export function digest(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}
