import { randomBytes } from 'node:crypto';

const BYTES_EACH = 16;
const DRAWN_AT_ONCE = 64;

/**
 * Generates unique ids of sessions. Random numbers are generated for many ids at once, because each generation takes a
 * system call.
 */
export class SessionIds {
  #drawn = Buffer.alloc(0);
  #at = 0;

  /** 32 hexadecimal digits. */
  next(): string {
    if (this.#at === this.#drawn.length) {
      this.#drawn = randomBytes(BYTES_EACH * DRAWN_AT_ONCE);
      this.#at = 0;
    }
    const from = this.#at;
    this.#at += BYTES_EACH;
    return this.#drawn.toString('hex', from, this.#at);
  }
}
