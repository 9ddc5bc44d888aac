/** What is left of it after it was in vain. */
const PART_LEFT = 0.1;

/** How long a server is waited for: one that was silent is not waited for as long again, until it answers. */
export class SharedDeadline {
  readonly #whole: number;
  #ms: number;

  /** @param ms For one answer (ms). */
  constructor(ms: number) {
    this.#whole = ms;
    this.#ms = ms;
  }

  /** For the next answer (ms). */
  get ms(): number {
    return this.#ms;
  }

  answered(): void {
    this.#ms = this.#whole;
  }

  inVain(): void {
    this.#ms = this.#whole * PART_LEFT;
  }
}
