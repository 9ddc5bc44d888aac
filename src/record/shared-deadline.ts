/** Part of the timeout that is left after a wait in vain. */
const PART_LEFT = 0.1;

/** Timeout for a server's answers: after a silence it is shorter, until the server answers. */
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
