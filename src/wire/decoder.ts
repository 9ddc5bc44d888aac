import { CloseError } from './close-error.ts';
import { CloseCode, Opcode } from './codes.ts';
import { type Frame, HEADER_BYTES } from './frame.ts';

/**
 * Turns chunks of any size into frames. However the stream is split or coalesced, the same bytes give the
 * same frames. The declared length is checked as soon as the header is whole, before a byte of the body is
 * stored.
 *
 * Taking a frame throws {@link CloseError} 1003 at the first byte that breaks the protocol; the decoder must
 * not be used afterwards.
 */
export class FrameDecoder {
  /** Largest body accepted, in bytes; raised once the handshake is done. */
  limit: number;
  /** Received and not yet yielded: the last chunk itself, or our own buffer when frames span chunks. */
  #buffer: Uint8Array = EMPTY;
  #start = 0;
  #end = 0;

  constructor(limit: number) {
    this.limit = limit;
  }

  /** Bytes received and not yet yielded as frames. */
  get pendingBytes(): number {
    return this.#end - this.#start;
  }

  /** Pending bytes of the next frame: all of it, or the part that has come. */
  get nextBytes(): number {
    return Math.min(this.pendingBytes, HEADER_BYTES + (this.#int32(4) >>> 0));
  }

  /** Adds a chunk; its frames are then taken one by one. */
  append(chunk: Uint8Array): void {
    if (this.pendingBytes > 0) return this.#join(chunk);
    this.#buffer = chunk;
    this.#start = 0;
    this.#end = chunk.length;
  }

  /** The next complete frame; undefined when there is none yet. */
  take(): Frame | undefined {
    const frame = this.#next();
    // A few left-over bytes must not retain a whole 64 KiB read.
    if (!frame && this.pendingBytes * 2 < this.#buffer.length) this.#compact(this.pendingBytes);
    return frame;
  }

  #next(): Frame | undefined {
    if (this.pendingBytes < HEADER_BYTES) return undefined;
    const opcode = this.#int32(0) as Opcode;
    if (opcode < Opcode.HANDSHAKE || opcode > Opcode.PONG) {
      throw new CloseError(CloseCode.UNSUPPORTED, `Unknown opcode ${opcode}: expected 0 to 4`);
    }
    // Peers disagree about the sign; read unsigned, a "negative" length is merely far too large.
    const length = this.#int32(4) >>> 0;
    if (length > this.limit) {
      throw new CloseError(
        CloseCode.UNSUPPORTED,
        `Frame of ${length} bytes is too large: at most ${this.limit}`,
      );
    }
    const end = this.#start + HEADER_BYTES + length;
    if (end > this.#end) return undefined;
    const body = this.#buffer.subarray(this.#start + HEADER_BYTES, end);
    this.#start = end;
    return { opcode, body };
  }

  /** Grows by doubling the bytes really received, so a declared length alone costs nothing. */
  #join(chunk: Uint8Array): void {
    const size = this.pendingBytes + chunk.length;
    // A foreign chunk is full, so nothing is ever written into it.
    if (this.#end + chunk.length > this.#buffer.length) this.#compact(this.#capacityFor(size));
    this.#buffer.set(chunk, this.#end);
    this.#end += chunk.length;
  }

  /** Twice the current size, but at most the need of the frame at the front. */
  #capacityFor(size: number): number {
    const doubled = Math.max(size * 2, 256);
    if (this.pendingBytes < HEADER_BYTES) return doubled;
    return Math.max(size, Math.min(doubled, HEADER_BYTES + (this.#int32(4) >>> 0)));
  }

  /** Little-endian, from the header at the front; by hand, because a DataView for it costs more than the rest. */
  #int32(offset: number): number {
    const bytes = this.#buffer;
    const start = this.#start + offset;
    const byte = (n: number): number => bytes[start + n] ?? 0;
    return byte(0) | (byte(1) << 8) | (byte(2) << 16) | (byte(3) << 24);
  }

  #compact(capacity: number): void {
    const rest = capacity === 0 ? EMPTY : this.#buffer.subarray(this.#start, this.#end);
    this.#buffer = capacity === 0 ? EMPTY : new Uint8Array(capacity);
    this.#buffer.set(rest);
    this.#start = 0;
    this.#end = rest.length;
  }
}

/** Adds a chunk and yields every frame that is now complete. */
export function* framesOf(decoder: FrameDecoder, chunk: Uint8Array): Generator<Frame, void, void> {
  decoder.append(chunk);
  for (let frame = decoder.take(); frame; frame = decoder.take()) yield frame;
}

const EMPTY = new Uint8Array(0);
