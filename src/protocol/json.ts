import { CloseError } from '../wire/close-error.ts';
import { CloseCode } from '../wire/codes.ts';

/** Deeper nesting than any documented payload has; a bound so that no later walk can exhaust the stack. */
const MAX_DEPTH = 64;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** A JSON object whose members are not known yet. */
export type JsonObject = { readonly [key: string]: unknown };

/** True for a JSON object, and not for `null` or an array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Parses a frame's body: strict UTF-8, JSON, at most 64 levels deep.
 * Throws {@link CloseError} 1003 (protocol: "JSON does not parse" ends the connection).
 */
export function parseJson(body: Uint8Array): unknown {
  checkDepth(body);
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body);
  } catch (cause) {
    throw new CloseError(CloseCode.UNSUPPORTED, 'Body is not valid UTF-8', { cause });
  }
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    // The parser's own message quotes the input, which may hold a token: keep it out of the answer.
    throw new CloseError(CloseCode.UNSUPPORTED, 'Body is not valid JSON', { cause });
  }
}

/** Counts brackets outside strings; runs on raw bytes, because 0x22, 0x5b… never occur inside a UTF-8 sequence. */
function checkDepth(body: Uint8Array): void {
  if (body.byteLength <= MAX_DEPTH) return;
  let depth = 0;
  let inString = false;
  for (let i = 0; i < body.byteLength; i++) {
    const byte = body[i] ?? 0;
    if (inString) {
      if (byte === BACKSLASH) i++;
      else if (byte === QUOTE) inString = false;
    } else if (byte === QUOTE) {
      inString = true;
    } else if (byte === 0x5b || byte === 0x7b) {
      depth += 1;
      if (depth > MAX_DEPTH) {
        throw new CloseError(CloseCode.UNSUPPORTED, `JSON is nested deeper than ${MAX_DEPTH} levels`);
      }
    } else if (byte === 0x5d || byte === 0x7d) {
      depth -= 1;
    }
  }
}
