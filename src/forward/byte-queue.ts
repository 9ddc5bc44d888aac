/** Size from which a chunk is kept as it is; smaller ones are copied into pages of this size (bytes). */
const PAGE_BYTES = 4096;

/**
 * Bytes that wait, in their order. Small chunks are copied together: each one alone would cost some hundred bytes, and
 * hold all the memory into which it was read.
 */
export class ByteQueue {
  readonly #chunks: Uint8Array[] = [];
  /** The page at the end of the queue, and its used bytes. */
  #page: Uint8Array | undefined;
  #used = 0;
  #length = 0;

  /** Number of bytes. */
  get length(): number {
    return this.#length;
  }

  /** Bytes of the first chunk; empty for an empty queue. */
  get first(): Uint8Array {
    return this.#chunks[0] ?? EMPTY;
  }

  /** Adds bytes. The caller must not change them. */
  push(bytes: Uint8Array): void {
    this.#length += bytes.length;
    // One that waits alone is mostly sent at once.
    if (this.#chunks.length === 0 || bytes.length >= PAGE_BYTES) {
      this.#chunks.push(bytes);
      this.#page = undefined;
      return;
    }
    const begun = this.#used + bytes.length > PAGE_BYTES ? undefined : this.#page;
    const page = begun ?? new Uint8Array(PAGE_BYTES);
    const start = begun === undefined ? 0 : this.#used;
    page.set(bytes, start);
    this.#page = page;
    this.#used = start + bytes.length;
    // What was taken from the first chunk is taken from this view, too.
    const last = begun === undefined ? undefined : this.#chunks.pop();
    const begin = last === undefined ? 0 : last.byteOffset;
    this.#chunks.push(page.subarray(begin, this.#used));
  }

  /** Removes bytes from the start of the first chunk. */
  drop(count: number): void {
    const { first } = this;
    this.#length -= count;
    if (count < first.length) this.#chunks[0] = first.subarray(count);
    else {
      this.#chunks.shift();
      if (this.#chunks.length === 0) this.#page = undefined;
    }
  }

  /** Removes all bytes and returns them. */
  takeAll(): Uint8Array[] {
    this.#length = 0;
    this.#page = undefined;
    return this.#chunks.splice(0);
  }
}

const EMPTY = new Uint8Array();
