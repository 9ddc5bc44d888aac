import type { Opcode } from './codes.ts';

/** Bytes before the body: int32 LE opcode, int32 LE body length. */
export const HEADER_BYTES = 8;

/** Largest body in either direction, in bytes: the real client's own limit (protocol 2.3). */
export const MAX_FRAME_BYTES = 3 * 1024 * 1024;

/** One message of the stream. `body` is the raw UTF-8 JSON; the wire does not interpret it. */
export interface Frame {
  readonly opcode: Opcode;
  readonly body: Uint8Array;
}

/** A frame ready to be written; `body` is a view into `bytes`, so one encoding serves many peers. */
export interface EncodedFrame extends Frame {
  readonly bytes: Uint8Array;
  /** The frames whose last byte is in `bytes`, if not this one alone: none for a part of one. */
  readonly completes?: readonly Frame[];
  /** Of waiting frames with this mark, only the newest matters to a peer that does not read. */
  readonly newestOnly?: true;
}

/**
 * Encodes one frame as one piece, so that it can leave in one write. `brief` is for a frame that is written at once: it
 * is cut out of a slab of memory that other frames share, which costs a quarter of memory of its own, but retains all
 * of the slab. A caller that holds such a frame back must copy it ({@link ownBytes}).
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

/** The bytes of a frame in memory that no other frame shares. */
export function ownBytes(bytes: Uint8Array): Uint8Array {
  return bytes.byteLength === bytes.buffer.byteLength ? bytes : bytes.slice();
}

const encoder = new TextEncoder();

/** Size of a slab that frames are cut out of; a new one replaces it when the rest is too small. */
const SLAB_BYTES = 8 * 1024;
let slab = new Uint8Array(0);
let used = 0;

function encodeText(text: string, memory: 'own' | 'brief'): Uint8Array {
  // A UTF-16 unit takes at most three UTF-8 bytes.
  const maxBytes = HEADER_BYTES + text.length * 3;
  if (maxBytes > SLAB_BYTES) {
    const room = new Uint8Array(maxBytes);
    const { written } = encoder.encodeInto(text, room.subarray(HEADER_BYTES));
    // Slow readers can hold many frames: do not retain three times their size.
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

/** Little-endian, by hand: a DataView for it costs more than the rest. */
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
