import { HEADER_BYTES } from '../wire/frame.ts';

/**
 * Follows the frames of the RPC protocol in bytes that are passed on, without storing any: only between two frames may
 * another one be added.
 */
export class FrameBoundary {
  /** Number of bytes of the current header that have passed, and the length in it as far as it is known. */
  #headerBytes = 0;
  #length = 0;
  /** Bytes of the current body that have not passed yet. */
  #left = 0;

  /** Whether the last byte that has passed ends a frame. */
  get isBetweenFrames(): boolean {
    return this.#headerBytes === 0 && this.#left === 0;
  }

  /** Counts bytes that pass. */
  pass(bytes: Uint8Array): void {
    let at = 0;
    while (at < bytes.length) {
      if (this.#left > 0) {
        const skipped = Math.min(this.#left, bytes.length - at);
        this.#left -= skipped;
        at += skipped;
        continue;
      }
      // The length is the second int32 of the header, little-endian.
      if (this.#headerBytes >= 4) this.#length += (bytes[at] as number) * 2 ** (8 * (this.#headerBytes - 4));
      this.#headerBytes += 1;
      at += 1;
      if (this.#headerBytes < HEADER_BYTES) continue;
      this.#left = this.#length;
      this.#headerBytes = 0;
      this.#length = 0;
    }
  }
}
