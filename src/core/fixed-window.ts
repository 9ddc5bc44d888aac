/** How much of somebody is taken in one second. */
export interface WindowLimits {
  readonly messages: number;
  /** Default: not bounded. */
  readonly bytes?: number;
}

/** Whether what has come is more than its second has room for; `first` of its second, which then ends in `waitMs`. */
export type WindowVerdict =
  | { readonly kind: 'within' }
  | { readonly kind: 'beyond'; readonly first: boolean; readonly waitMs: number };

const WITHIN: WindowVerdict = { kind: 'within' };

/**
 * A fixed window counter: bounds what somebody who sends without end takes of each second, so that time is left for the
 * rest. Whether what is beyond waits or is dropped is the caller's to say.
 */
export class FixedWindow {
  readonly #mostMessages: number;
  readonly #mostBytes: number;
  #begun = Number.NEGATIVE_INFINITY;
  #messages = 0;
  #bytes = 0;
  #isBeyond = false;

  constructor({ messages, bytes = Number.POSITIVE_INFINITY }: WindowLimits) {
    this.#mostMessages = messages;
    this.#mostBytes = bytes;
  }

  /** Counts what has come; `now` in ms of a monotonic clock. */
  take(messages: number, bytes: number, now: number): WindowVerdict {
    if (now - this.#begun >= 1000) {
      this.#begun = now;
      this.#messages = 0;
      this.#bytes = 0;
      this.#isBeyond = false;
    }
    this.#messages += messages;
    this.#bytes += bytes;
    if (this.#messages <= this.#mostMessages && this.#bytes <= this.#mostBytes) return WITHIN;
    const first = !this.#isBeyond;
    this.#isBeyond = true;
    return { kind: 'beyond', first, waitMs: this.#begun + 1000 - now };
  }
}
