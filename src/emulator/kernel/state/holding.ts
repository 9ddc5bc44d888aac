/** Memory for rows outside the current state, in bytes: rows of a state that is being read, or of an export. */
export class Holding {
  /** Bytes of all rows that had been removed from the current state when this holding began. */
  readonly #removedBefore: number;
  #taken = 0;
  #pending = 0;
  #shared = 0;

  constructor(removedBefore: number) {
    this.#removedBefore = removedBefore;
  }

  /**
   * Bytes that exist only for this holding. `removed` counts all rows that have been removed from the current state so
   * far. It is unknown which of them the holding shares, so the worst case is counted: all of them.
   */
  bytes(removed: number): number {
    return this.own + Math.min(this.#shared, removed - this.#removedBefore);
  }

  /**
   * Bytes that exist only for this holding, without any rows that it shares, or shared earlier, with the current state.
   */
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

  /** Adds bytes that exist only for this holding. */
  take(bytes: number): void {
    this.#taken += bytes;
  }

  /** Adds the bytes of rows that are also in the current state. */
  share(bytes: number): void {
    this.#shared += bytes;
  }
}
