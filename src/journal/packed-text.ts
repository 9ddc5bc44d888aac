/** Memory that texts are put into one after the other: a piece of its own for each costs more than the text. */
const SLAB_BYTES = 64 * 1024;
/** Larger ones get one, because a slab lives as long as any text in it. */
const MOST_IN_SLAB = 8 * 1024;

/** A text outside of the heap. */
export interface PackedText {
  /** Bytes that it takes. */
  readonly length: number;
  read(): string;
}

/** Puts texts where no collection copies them; what nobody holds any more goes with its slab. */
export class TextStore {
  #slab: Buffer = Buffer.alloc(0);
  #used = 0;

  /** Copies a text in UTF-8. */
  pack(text: Uint8Array): PackedText {
    const length = text.byteLength;
    if (length > MOST_IN_SLAB) return new SlabText(Buffer.from(text), 0, length);
    if (length > this.#slab.byteLength - this.#used) {
      this.#slab = Buffer.allocUnsafeSlow(SLAB_BYTES);
      this.#used = 0;
    }
    const from = this.#used;
    this.#slab.set(text, from);
    this.#used = from + length;
    return new SlabText(this.#slab, from, length);
  }
}

class SlabText implements PackedText {
  readonly length: number;
  readonly #slab: Buffer;
  readonly #from: number;

  constructor(slab: Buffer, from: number, length: number) {
    this.length = length;
    this.#slab = slab;
    this.#from = from;
  }

  read(): string {
    return this.#slab.toString('utf8', this.#from, this.#from + this.length);
  }
}
