/** What somebody has of rows beside the state in force, in bytes: whoever reads another state, or writes this one out. */
export class Holding {
  /** Of all rows that had left when it began. */
  readonly #goneBefore: number;
  #taken = 0;
  #pending = 0;
  #shared = 0;

  constructor(goneBefore: number) {
    this.#goneBefore = goneBefore;
  }

  /** What is there by it alone; `gone` is of all rows that have left by now. Of those nobody knows which it shares: all, at worst. */
  bytes(gone: number): number {
    return this.own + Math.min(this.#shared, gone - this.#goneBefore);
  }

  /** The same without rows that it shares with the state in force, or did. */
  get own(): number {
    return this.#taken + this.#pending;
  }

  /** What is kept of a text whose end has not come. */
  get pending(): number {
    return this.#pending;
  }

  set pending(bytes: number) {
    this.#pending = bytes;
  }

  /** Adds bytes that are there by it alone. */
  take(bytes: number): void {
    this.#taken += bytes;
  }

  /** Adds rows that are in force as well. */
  share(bytes: number): void {
    this.#shared += bytes;
  }
}
