/** How much at once, and how much a second after that. */
export interface Rate {
  readonly burst: number;
  readonly perSecond: number;
}

/**
 * A token bucket that may fall into debt: whatever has arrived is counted, and the debt says how long to wait
 * before more is taken. Nothing is ever refused by it.
 */
export class Bucket {
  readonly #rate: Rate;
  #tokens: number;
  #at: number;

  /** `now` in ms of a monotonic clock. */
  constructor(rate: Rate, now: number) {
    this.#rate = rate;
    this.#tokens = rate.burst;
    this.#at = now;
  }

  /** Takes `amount` and returns how long to wait (ms) until the debt is paid; 0 when there is none. */
  take(amount: number, now: number): number {
    this.#refill(now);
    this.#tokens -= amount;
    return this.#tokens >= 0 ? 0 : (-this.#tokens / this.#rate.perSecond) * 1000;
  }

  /** Whether nothing was taken lately: the bucket is full again. */
  isFull(now: number): boolean {
    this.#refill(now);
    return this.#tokens >= this.#rate.burst;
  }

  #refill(now: number): void {
    const gained = (Math.max(0, now - this.#at) / 1000) * this.#rate.perSecond;
    this.#tokens = Math.min(this.#rate.burst, this.#tokens + gained);
    this.#at = now;
  }
}
