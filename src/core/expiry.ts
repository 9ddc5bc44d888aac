/** Interval of the checks for expiry (ms), because the clock may be set and the machine may sleep. */
const CHECK_INTERVAL_MS = 30_000;

/** Wall clock for expiry times, because the issuer of a token uses wall time. */
export interface ExpiryClock {
  /** Current time in milliseconds since the Unix epoch. */
  now(): number;
  /** Calls `callback` once after `ms` milliseconds; the returned function cancels it. */
  setTimeout(callback: () => void, ms: number): () => void;
}

/** Expiry of a session's token. */
export class Expiry {
  readonly #clock: ExpiryClock;
  readonly #at: number;
  readonly #onOver: () => void;
  #cancel: () => void = () => {};

  /** `onOver` is called once, at most half a minute after the time `at` (ms since the Unix epoch). */
  constructor(clock: ExpiryClock, at: number, onOver: () => void) {
    this.#clock = clock;
    this.#at = at;
    this.#onOver = onOver;
    this.#wait();
  }

  get over(): boolean {
    return this.#clock.now() >= this.#at;
  }

  cancel(): void {
    this.#cancel();
  }

  #wait(): void {
    const left = this.#at - this.#clock.now();
    if (left <= 0) return this.#onOver();
    this.#cancel = this.#clock.setTimeout(() => this.#wait(), Math.min(left, CHECK_INTERVAL_MS));
  }
}
