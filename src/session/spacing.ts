/** Gives whoever asks a moment of its own, so that what many are due at once happens to one after the other. */
export class Spacing {
  readonly #gapMs: number;
  #nextAt = -Infinity;

  constructor(gapMs: number) {
    this.#gapMs = gapMs;
  }

  /** How long (ms) to wait for the next free moment, which is taken; `now` in ms of a monotonic clock. */
  take(now: number): number {
    const at = Math.max(now, this.#nextAt);
    this.#nextAt = at + this.#gapMs;
    return at - now;
  }
}
