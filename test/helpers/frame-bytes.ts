import { HEADER_BYTES } from '../../src/wire/frame.ts';

/** A header with any opcode and any declared length, however wrong: two little-endian 32-bit words. */
export function headerBytes(opcode: number, length: number): Uint8Array {
  const bytes = new Uint8Array(HEADER_BYTES);
  const view = new DataView(bytes.buffer);
  view.setInt32(0, opcode, true);
  view.setUint32(4, length >>> 0, true);
  return bytes;
}

/** A frame built without the code under test; a string body is UTF-8. */
export function frameBytes(opcode: number, body: string | Uint8Array): Uint8Array {
  const payload = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  return concatBytes(headerBytes(opcode, payload.byteLength), payload);
}

/** The parts in one piece. */
export function concatBytes(...parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((size, part) => size + part.byteLength, 0));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.byteLength;
  }
  return whole;
}

/** Cuts at the given offsets, which may repeat and come in any order. */
export function cutBytes(bytes: Uint8Array, offsets: readonly number[]): Uint8Array[] {
  const ends = [...offsets].sort((a, b) => a - b);
  return [0, ...ends].map((start, i) => bytes.slice(start, ends[i] ?? bytes.byteLength));
}
