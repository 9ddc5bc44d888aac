import { CloseError } from '../wire/close-error.ts';
import { CloseCode } from '../wire/codes.ts';

/** Maximum nesting of a body, so that no recursive function can exhaust the stack. No documented payload is deeper. */
const MAX_DEPTH = 64;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** A JSON object whose members are not known yet. */
export type JsonObject = { readonly [key: string]: unknown };

/** Whether a value is a JSON object; false for `null` and for arrays. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** How a body is read. */
export interface Reading {
  /** Default: JSON.parse. */
  readonly parse?: ((text: string) => unknown) | undefined;
  /** Called when the body is not valid UTF-8. */
  readonly garbled?: (() => unknown) | undefined;
}

/**
 * Parses a frame's body: UTF-8, JSON, at most 64 levels deep. Invalid UTF-8 becomes U+FFFD, as in the real client,
 * because many programs send the encoding of their system, or cut a text in the middle of a character. Throws {@link
 * CloseError} 1003 (protocol: "JSON does not parse" ends the connection).
 */
export function parseJson(body: Uint8Array, reading: Reading = {}): unknown {
  if (!isSmall(body)) countValues(body);
  return parseCounted(body, reading);
}

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const lenient = new TextDecoder('utf-8', { ignoreBOM: true });

function decode(body: Uint8Array, garbled: (() => unknown) | undefined): string {
  try {
    return strict.decode(body);
  } catch {
    garbled?.();
    return lenient.decode(body);
  }
}

/** Like {@link parseJson}, for a body whose values were already counted. */
export function parseCounted(body: Uint8Array, { parse = JSON.parse, garbled }: Reading = {}): unknown {
  const text = decode(body, garbled);
  try {
    return parse(text);
  } catch (cause) {
    // The parser's own message quotes the input, which may contain a token, so it must not be in the answer.
    throw new CloseError(CloseCode.UNSUPPORTED, 'Body is not valid JSON', { cause });
  }
}

/** Size of a body that needs no exact count (bytes), because it has at most half as many values. */
const SMALL_BYTES = 4096;

/**
 * Whether a body has more than `max` values; `max` must be at least {@link SMALL_BYTES} / 2. Throws like {@link
 * countValues}.
 */
export function hasMoreValues(body: Uint8Array, max: number): boolean {
  return !isSmall(body) && countValues(body, max) > max;
}

/**
 * Whether a body is too short for many values and has too few brackets for many levels, found without a check of each
 * byte.
 */
function isSmall(body: Uint8Array): boolean {
  if (body.byteLength <= MAX_DEPTH) return true;
  if (body.byteLength > SMALL_BYTES) return false;
  let brackets = 0;
  for (const bracket of [0x7b, 0x5b]) {
    for (let at = body.indexOf(bracket); at !== -1; at = body.indexOf(bracket, at + 1)) {
      brackets += 1;
      if (brackets > MAX_DEPTH) return false;
    }
  }
  return true;
}

/**
 * An upper bound of the number of values in a body, counted up to `max`: members, elements and the body itself. This
 * number determines the cost of parsing and checking. It is found in the raw bytes, because 0x22, 0x5b and the like
 * never occur inside a UTF-8 sequence. Throws {@link CloseError} 1003 when the body is nested deeper than 64 levels.
 */
function countValues(body: Uint8Array, max = Number.POSITIVE_INFINITY): number {
  let depth = 0;
  let values = 1;
  for (let i = 0; i < body.byteLength && values <= max; i++) {
    const byte = body[i];
    if (byte === QUOTE) {
      i = endOfString(body, i);
    } else if (byte === 0x2c) {
      values += 1;
    } else if (byte === 0x5b || byte === 0x7b) {
      values += 1;
      depth += 1;
      if (depth > MAX_DEPTH) {
        throw new CloseError(CloseCode.UNSUPPORTED, `JSON is nested deeper than ${MAX_DEPTH} levels`);
      }
    } else if (byte === 0x5d || byte === 0x7d) {
      depth -= 1;
    }
  }
  return values;
}

/** Length up to which checking byte by byte is faster than searching for the next quote (bytes). */
const SHORT_STRING = 24;

/** End of the string that begins at `start`: the index of its closing quote, or the body's end. */
export function endOfString(body: Uint8Array, start: number): number {
  const { length } = body;
  const near = Math.min(length, start + SHORT_STRING);
  let i = start + 1;
  while (i < near && body[i] !== QUOTE) i += body[i] === BACKSLASH ? 2 : 1;
  if (i < near || i >= length) return Math.min(i, length);
  // The byte at `i` is not the second half of an escape sequence.
  for (let end = body.indexOf(QUOTE, i); end !== -1; end = body.indexOf(QUOTE, end + 1)) {
    let unescaped = end;
    while (unescaped > i && body[unescaped - 1] === BACKSLASH) unescaped -= 1;
    if ((end - unescaped) % 2 === 0) return end;
  }
  return length;
}
