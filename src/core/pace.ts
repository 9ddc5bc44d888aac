/** How much is taken from one program in a second. */
export interface PaceLimits {
  readonly messages: number;
  readonly bytes: number;
}

/** Says when somebody who sends without end should not be read for the rest of the second: nothing is lost by that. */
export class Pace {
  readonly #limits: PaceLimits;
  #begun = Number.NEGATIVE_INFINITY;
  #messages = 0;
  #bytes = 0;

  constructor(limits: PaceLimits) {
    this.#limits = limits;
  }

  /** Counts what has come; returns how long to wait (ms), 0 for not at all. `now` in ms of a monotonic clock. */
  take(messages: number, bytes: number, now: number): number {
    if (now - this.#begun >= 1000) {
      this.#begun = now;
      this.#messages = 0;
      this.#bytes = 0;
    }
    this.#messages += messages;
    this.#bytes += bytes;
    const isMore = this.#messages > this.#limits.messages || this.#bytes > this.#limits.bytes;
    return isMore ? this.#begun + 1000 - now : 0;
  }
}
