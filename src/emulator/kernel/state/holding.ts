/** Memory for rows outside the state in force, in bytes: of a state that is being read, or of an export. */
export class Holding {
  /** Bytes of all rows that had been removed when it began. */
  readonly #removedBefore: number;
  #taken = 0;
  #pending = 0;
  #shared = 0;

  constructor(removedBefore: number) {
    this.#removedBefore = removedBefore;
  }

  /**
   * Bytes that exist for it alone; the argument counts all rows removed so far. Which of them it shares is unknown, so it
   * counts all of them at worst.
   */
  bytes(removed: number): number {
    return this.own + Math.min(this.#shared, removed - this.#removedBefore);
  }

  /** The same without rows that it shares, or has shared, with the state in force. */
  get own(): number {
    return this.#taken + this.#pending;
  }

  /** Bytes of a text that is not complete yet. */
  get pending(): number {
    return this.#pending;
  }

  set pending(bytes: number) {
    this.#pending = bytes;
  }

  /** Adds bytes that exist for it alone. */
  take(bytes: number): void {
    this.#taken += bytes;
  }

  /** Adds rows that are in force as well. */
  share(bytes: number): void {
    this.#shared += bytes;
  }
}
