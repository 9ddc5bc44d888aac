/** Fraction of the timeout that remains after an answer timed out. */
const PART_LEFT = 0.1;

/**
 * Timeout for a server's answers, shared by all requests: after a missing answer it is shorter, until the server
 * answers again.
 */
export class SharedDeadline {
  readonly #whole: number;
  #ms: number;

  /** @param ms time limit for one answer (ms) */
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
