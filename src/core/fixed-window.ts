/** Limits per second for one sender. */
export interface WindowLimits {
  readonly messages: number;
  /** Default: unlimited. */
  readonly bytes?: number;
}

/**
 * Result of a count. `within`: within the limits of the current second. Otherwise beyond them: `first` marks the first
 * such result of the second, which ends in `waitMs`.
 */
export type WindowVerdict =
  | { readonly kind: 'within' }
  | { readonly kind: 'beyond'; readonly first: boolean; readonly waitMs: number };

const WITHIN: WindowVerdict = { kind: 'within' };

/**
 * Fixed-window counter that limits a sender per second, so that a flood leaves processor time for everyone else. The
 * caller decides whether messages beyond the limits wait or are dropped.
 */
export class FixedWindow {
  readonly #maxMessages: number;
  readonly #maxBytes: number;
  #begun = Number.NEGATIVE_INFINITY;
  #messages = 0;
  #bytes = 0;
  #isBeyond = false;

  constructor({ messages, bytes = Number.POSITIVE_INFINITY }: WindowLimits) {
    this.#maxMessages = messages;
    this.#maxBytes = bytes;
  }

  /** Counts received messages; `now` in ms of a monotonic clock. */
  take(messages: number, bytes: number, now: number): WindowVerdict {
    if (now - this.#begun >= 1000) {
      this.#begun = now;
      this.#messages = 0;
      this.#bytes = 0;
      this.#isBeyond = false;
    }
    this.#messages += messages;
    this.#bytes += bytes;
    if (this.#messages <= this.#maxMessages && this.#bytes <= this.#maxBytes) return WITHIN;
    const first = !this.#isBeyond;
    this.#isBeyond = true;
    return { kind: 'beyond', first, waitMs: this.#begun + 1000 - now };
  }
}
