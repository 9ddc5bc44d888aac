import type { Opcode } from './codes.ts';

/** Size of the header before the body: opcode (int32 LE) and body length (int32 LE). */
export const HEADER_BYTES = 8;

/** Maximum size of a frame body in either direction, in bytes: the real client's own limit (protocol 2.3). */
export const MAX_FRAME_BYTES = 3 * 1024 * 1024;

/** One message of the stream. `body` is raw UTF-8 JSON, which this layer does not interpret. */
export interface Frame {
  readonly opcode: Opcode;
  readonly body: Uint8Array;
}

/** A frame that is ready to be written. `body` is a view into `bytes`, so that one encoding serves many peers. */
export interface EncodedFrame extends Frame {
  readonly bytes: Uint8Array;
  /** Frames whose last byte is in `bytes`, when that is not exactly this frame; an empty list for a part of a frame. */
  readonly completes?: readonly Frame[];
  /** Marks a frame that a newer frame with this mark replaces, if the peer does not read. */
  readonly newestOnly?: true;
}

/**
 * Encodes one frame into one buffer, so that it can be sent with one write. `brief` is for a frame that is written at
 * once: it is a part of a block of memory that other frames share. This takes a quarter of the time of a separate
 * buffer, but the frame retains the whole block. A caller that delays such a frame must copy it ({@link ownBytes}).
 */
export function encodeFrame(
  opcode: Opcode,
  body: string | Uint8Array,
  memory: 'own' | 'brief' = 'own',
): EncodedFrame {
  const bytes = typeof body === 'string' ? encodeText(body, memory) : encodeBytes(body);
  writeInt32(bytes, 0, opcode);
  writeInt32(bytes, 4, bytes.length - HEADER_BYTES);
  return { opcode, bytes, body: bytes.subarray(HEADER_BYTES) };
}

/** Returns the bytes of a frame in memory that no other frame shares; copies them if necessary. */
export function ownBytes(bytes: Uint8Array): Uint8Array {
  return bytes.byteLength === bytes.buffer.byteLength ? bytes : bytes.slice();
}

const encoder = new TextEncoder();

/**
 * Size of a shared block of memory for frames (bytes); a new block replaces it when the remaining space is too small.
 */
const SLAB_BYTES = 8 * 1024;
let slab = new Uint8Array(0);
let used = 0;

function encodeText(text: string, memory: 'own' | 'brief'): Uint8Array {
  // A UTF-16 unit takes at most three UTF-8 bytes.
  const maxBytes = HEADER_BYTES + text.length * 3;
  if (maxBytes > SLAB_BYTES) {
    const room = new Uint8Array(maxBytes);
    const { written } = encoder.encodeInto(text, room.subarray(HEADER_BYTES));
    // The frame is copied to its exact size, because slow readers can hold many frames and would retain up to three
    // times the memory.
    return room.slice(0, HEADER_BYTES + written);
  }
  if (maxBytes > slab.length - used) {
    slab = new Uint8Array(SLAB_BYTES);
    used = 0;
  }
  const { written } = encoder.encodeInto(text, slab.subarray(used + HEADER_BYTES));
  const end = used + HEADER_BYTES + written;
  if (memory === 'own') return slab.slice(used, end);
  const bytes = slab.subarray(used, end);
  used = end;
  return bytes;
}

/** Writes a little-endian number. It does not use a DataView, which would be slower than the rest of the encoding. */
function writeInt32(bytes: Uint8Array, at: number, value: number): void {
  bytes[at] = value;
  bytes[at + 1] = value >>> 8;
  bytes[at + 2] = value >>> 16;
  bytes[at + 3] = value >>> 24;
}

function encodeBytes(body: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(HEADER_BYTES + body.length);
  bytes.set(body, HEADER_BYTES);
  return bytes;
}
