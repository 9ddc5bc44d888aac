/** Looked at so often, because the clock may be set and the machine may sleep (ms). */
const LOOK_MS = 30_000;

/** When a token ends, by the wall clock: that is the one its issuer goes by. */
export class Expiry {
  readonly #at: number;
  readonly #onOver: () => void;
  #timer: NodeJS.Timeout | undefined;

  /** `onOver` is called once, at the latest half a minute after the time `at` (ms since the Unix epoch). */
  constructor(at: number, onOver: () => void) {
    this.#at = at;
    this.#onOver = onOver;
    this.#wait();
  }

  get over(): boolean {
    return Date.now() >= this.#at;
  }

  cancel(): void {
    clearTimeout(this.#timer);
  }

  #wait(): void {
    const left = this.#at - Date.now();
    if (left <= 0) return this.#onOver();
    this.#timer = setTimeout(() => this.#wait(), Math.min(left, LOOK_MS));
    this.#timer.unref();
  }
}
