import type { Opcode } from './codes.ts';

/** Bytes before the body: int32 LE opcode, int32 LE body length. */
export const HEADER_BYTES = 8;

/** One message of the stream. `body` is the raw UTF-8 JSON; the wire does not know what it means. */
export interface Frame {
  readonly opcode: Opcode;
  readonly body: Uint8Array;
}

/** A frame ready to be written; `body` is a view into `bytes`, so one encoding serves many peers. */
export interface EncodedFrame extends Frame {
  readonly bytes: Uint8Array;
}

/** Encodes one frame in one allocation, so that it can leave in one write. */
export function encodeFrame(opcode: Opcode, body: string | Uint8Array): EncodedFrame {
  const bytes = typeof body === 'string' ? encodeText(body) : encodeBytes(body);
  const length = bytes.length - HEADER_BYTES;
  const header = new DataView(bytes.buffer, bytes.byteOffset, HEADER_BYTES);
  header.setInt32(0, opcode, true);
  header.setInt32(4, length, true);
  return { opcode, bytes, body: bytes.subarray(HEADER_BYTES) };
}

const encoder = new TextEncoder();

function encodeText(text: string): Uint8Array {
  // A UTF-16 unit takes at most three UTF-8 bytes, so the first attempt always fits.
  const room = new Uint8Array(HEADER_BYTES + text.length * 3);
  const { written } = encoder.encodeInto(text, room.subarray(HEADER_BYTES));
  // Slow readers can hold many frames: do not keep three times their size alive.
  return written > 1024 ? room.slice(0, HEADER_BYTES + written) : room.subarray(0, HEADER_BYTES + written);
}

function encodeBytes(body: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(HEADER_BYTES + body.length);
  bytes.set(body, HEADER_BYTES);
  return bytes;
}
