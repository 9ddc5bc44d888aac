/** Looked at so often, because the clock may be set and the machine may sleep (ms). */
const LOOK_MS = 30_000;

/** Wall time, because that is what the issuer of a token goes by. */
export interface ExpiryClock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /** Calls `callback` once after `ms` milliseconds; the returned function cancels it. */
  setTimeout(callback: () => void, ms: number): () => void;
}

/** When the token of a session ends. */
export class Expiry {
  readonly #clock: ExpiryClock;
  readonly #at: number;
  readonly #onOver: () => void;
  #cancel: () => void = () => {};

  /** `onOver` is called once, at the latest half a minute after the time `at` (ms since the Unix epoch). */
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
    this.#cancel = this.#clock.setTimeout(() => this.#wait(), Math.min(left, LOOK_MS));
  }
}
