import { endOfString } from './json.ts';

/** `cmd` and `nonce` of a request; null for each that is not a string. */
export interface Envelope {
  readonly cmd: string | null;
  readonly nonce: string | null;
}

/** Maximum length of a string that is examined (bytes). No command name, and no nonce that is echoed, is longer. */
const MAX_PREFIX_BYTES = 8 * 1024;

/**
 * Finds the members that an answer needs in the bytes of a request that is too large to be parsed. Of repeated keys,
 * the last one counts.
 */
export function findEnvelope(body: Uint8Array): Envelope {
  const found = { cmd: null as string | null, nonce: null as string | null };
  let depth = 0;
  let key: string | null = null;
  for (let i = 0; i < body.byteLength; i++) {
    const byte = body[i];
    if (byte === 0x22) {
      const end = endOfString(body, i);
      if (depth === 1) {
        const text = stringAt(body, i, end);
        if (isKey(body, end)) key = text;
        else if (key === 'cmd' || key === 'nonce') found[key] = text;
      }
      i = end;
    } else if (byte === 0x5b || byte === 0x7b) {
      depth += 1;
    } else if (byte === 0x5d || byte === 0x7d) {
      depth -= 1;
    } else if (byte === 0x2c && depth === 1) {
      key = null;
    }
  }
  return found;
}

function stringAt(body: Uint8Array, start: number, end: number): string | null {
  if (end - start > MAX_PREFIX_BYTES) return null;
  try {
    const text: unknown = JSON.parse(new TextDecoder().decode(body.subarray(start, end + 1)));
    return typeof text === 'string' ? text : null;
  } catch {
    return null;
  }
}

/** Whether a colon follows the string that ends at `end`, so that the string is a key. */
function isKey(body: Uint8Array, end: number): boolean {
  let i = end + 1;
  while (body[i] === 0x20 || body[i] === 0x09 || body[i] === 0x0a || body[i] === 0x0d) i++;
  return body[i] === 0x3a;
}
