import { CloseError } from './close-error.ts';
import { CloseCode, Opcode } from './codes.ts';
import { type Frame, HEADER_BYTES } from './frame.ts';

/**
 * Turns chunks of any size into frames. Whatever the split or coalescing of the stream, the same bytes
 * give the same frames. The declared length is checked as soon as the header is whole, before a byte
 * of the body is kept.
 *
 * Iterating throws {@link CloseError} 1003 at the first byte that breaks the protocol; the decoder is
 * then of no further use.
 */
export class FrameDecoder {
  /** Largest body accepted, in bytes; raised once the handshake is done. */
  limit: number;
  /** Received and not yet yielded: the last chunk itself, or our own buffer when frames span chunks. */
  #buffer: Uint8Array = EMPTY;
  #start = 0;
  #end = 0;
  /** True while `#buffer` is a chunk that somebody else allocated, which must not be written to. */
  #borrowed = true;

  constructor(limit: number) {
    this.limit = limit;
  }

  /** Bytes received and not yet yielded as frames. */
  get pendingBytes(): number {
    return this.#end - this.#start;
  }

  /** Adds a chunk and yields every frame that is now complete. */
  push(chunk: Uint8Array): Generator<Frame, void, void> {
    this.append(chunk);
    return this.frames();
  }

  /** Adds a chunk without looking at it: its frames are yielded by a later call. */
  append(chunk: Uint8Array): void {
    if (this.pendingBytes > 0) return this.#join(chunk);
    this.#buffer = chunk;
    this.#start = 0;
    this.#end = chunk.length;
    this.#borrowed = true;
  }

  /** Yields complete frames; a caller may stop half way and ask again later. */
  *frames(): Generator<Frame, void, void> {
    for (let frame = this.#next(); frame !== undefined; frame = this.#next()) yield frame;
    // A few left-over bytes must not keep a whole 64 KiB read alive.
    if (this.pendingBytes * 2 < this.#buffer.length) this.#compact(this.pendingBytes);
  }

  #next(): Frame | undefined {
    if (this.pendingBytes < HEADER_BYTES) return undefined;
    const header = this.#header();
    const opcode = header.getInt32(0, true);
    if (!isOpcode(opcode)) {
      throw new CloseError(CloseCode.UNSUPPORTED, `Unknown opcode ${opcode}: expected 0 to 4`);
    }
    // Peers disagree about the sign; read unsigned, a "negative" length is merely far too large.
    const length = header.getUint32(4, true);
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

  /** Grows by doubling what was really received, so a declared length alone costs nothing. */
  #join(chunk: Uint8Array): void {
    const size = this.pendingBytes + chunk.length;
    if (this.#borrowed || this.#end + chunk.length > this.#buffer.length) {
      this.#compact(this.#capacityFor(size));
    }
    this.#buffer.set(chunk, this.#end);
    this.#end += chunk.length;
  }

  /** Twice what there is, but no more than the frame at the front can still need. */
  #capacityFor(size: number): number {
    const doubled = Math.max(size * 2, 256);
    if (this.pendingBytes < HEADER_BYTES) return doubled;
    return Math.max(size, Math.min(doubled, HEADER_BYTES + this.#header().getUint32(4, true)));
  }

  #header(): DataView {
    return new DataView(this.#buffer.buffer, this.#buffer.byteOffset + this.#start, HEADER_BYTES);
  }

  #compact(capacity: number): void {
    const rest = this.#buffer.subarray(this.#start, this.#end);
    this.#buffer = capacity === 0 ? EMPTY : new Uint8Array(capacity);
    this.#buffer.set(rest);
    this.#start = 0;
    this.#end = rest.length;
    this.#borrowed = false;
  }
}

const EMPTY = new Uint8Array(0);

function isOpcode(value: number): value is Opcode {
  return value >= Opcode.HANDSHAKE && value <= Opcode.PONG;
}
