import { CloseError } from './close-error.ts';
import { CloseCode, Opcode } from './codes.ts';
import { type Frame, HEADER_BYTES } from './frame.ts';

/**
 * Splits a byte stream into frames. The frames depend only on the bytes, not on how the stream is divided into chunks.
 * The declared length is checked as soon as the header is complete, before a byte of the body is stored.
 *
 * Taking a frame throws {@link CloseError} 1003 at the first byte that violates the protocol; after that the decoder
 * must not be used.
 */
export class FrameDecoder {
  /** Maximum size of a frame body in bytes; it is raised after the handshake. */
  limit: number;
  /** Bytes that were received and not taken yet: the last chunk itself, or our own buffer when a frame spans chunks. */
  #buffer: Uint8Array = EMPTY;
  #start = 0;
  #end = 0;

  constructor(limit: number) {
    this.limit = limit;
  }

  /** Number of bytes that were received and not taken as frames yet. */
  get pendingBytes(): number {
    return this.#end - this.#start;
  }

  /** Number of received bytes of the next frame: its whole size, or the part that has arrived. */
  get nextBytes(): number {
    return Math.min(this.pendingBytes, HEADER_BYTES + (this.#int32(4) >>> 0));
  }

  /** Whether a complete frame was received and not taken yet. */
  get hasFrame(): boolean {
    const bytes = this.pendingBytes;
    return bytes >= HEADER_BYTES && bytes >= HEADER_BYTES + (this.#int32(4) >>> 0);
  }

  /** Adds a chunk; `take` then returns its frames one by one. */
  append(chunk: Uint8Array): void {
    if (this.pendingBytes > 0) return this.#join(chunk);
    this.#buffer = chunk;
    this.#start = 0;
    this.#end = chunk.length;
  }

  /** Returns the next complete frame; undefined when there is none yet. */
  take(): Frame | undefined {
    const frame = this.#next();
    // The remainder is copied, because a few bytes must not retain a whole read of 64 KiB.
    if (!frame && this.pendingBytes * 2 < this.#buffer.length) this.#compact(this.pendingBytes);
    return frame;
  }

  #next(): Frame | undefined {
    if (this.pendingBytes < HEADER_BYTES) return undefined;
    const opcode = this.#int32(0) as Opcode;
    if (opcode < Opcode.HANDSHAKE || opcode > Opcode.PONG) {
      throw new CloseError(CloseCode.UNSUPPORTED, `Unknown opcode ${opcode}: expected 0 to 4`);
    }
    // Client libraries disagree about the sign of the length. Read as unsigned, a "negative" length is too large and is
    // rejected.
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

  /**
   * Adds a chunk to our own buffer. The buffer grows by doubling the received bytes, so a large declared length alone
   * needs no memory.
   */
  #join(chunk: Uint8Array): void {
    const size = this.pendingBytes + chunk.length;
    // A buffer that is a chunk itself has no free space, so bytes are never written into it.
    if (this.#end + chunk.length > this.#buffer.length) this.#compact(this.#capacityFor(size));
    this.#buffer.set(chunk, this.#end);
    this.#end += chunk.length;
  }

  /** Returns the new capacity: twice the current size, but at most what the frame at the front needs. */
  #capacityFor(size: number): number {
    const doubled = Math.max(size * 2, 256);
    if (this.pendingBytes < HEADER_BYTES) return doubled;
    return Math.max(size, Math.min(doubled, HEADER_BYTES + (this.#int32(4) >>> 0)));
  }

  /**
   * Reads a little-endian number from the header at the front. It does not use a DataView, which would be slower than
   * the rest of the decoder.
   */
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
