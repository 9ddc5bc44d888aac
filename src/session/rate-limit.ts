/** How much at once, and how much a second after that. */
export interface Rate {
  readonly burst: number;
  readonly perSecond: number;
}

/**
 * A token bucket that may fall into debt: every arrival is counted, and the debt determines how long to wait before
 * more is taken. It never refuses anything.
 */
export class TokenBucket {
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

/** How fast one process may send; undefined is as fast as it likes. */
export interface Rates {
  /** Frames: burst, and rate per second after that. */
  readonly messages: Rate | undefined;
  /** Bytes likewise. */
  readonly bytes: Rate | undefined;
}

/** Rates, and the consequence of exceeding them. */
export interface RateLimits extends Rates {
  /** A process that stays above its rate for this long (ms) is sent CLOSE 4002. */
  readonly floodMs: number;
}

/** Decision about a frame that has just been taken. */
export type Verdict =
  | { readonly kind: 'go' }
  /** Nothing may be taken from this process for `ms`. */
  | { readonly kind: 'wait'; readonly ms: number }
  | { readonly kind: 'flood' };

const GO: Verdict = { kind: 'go' };

/**
 * Computes how long nothing is to be read from a process. A message rate alone does not protect the others from large
 * messages, so bytes are counted too.
 */
export class RateLimit {
  readonly #limits: RateLimits;
  readonly #messages: TokenBucket | undefined;
  readonly #bytes: TokenBucket | undefined;
  /** When the process went above its rate, if it is above it. */
  #since: number | undefined;

  /** `now` in ms of a monotonic clock. */
  constructor(limits: RateLimits, now: number) {
    this.#limits = limits;
    this.#messages = limits.messages && new TokenBucket(limits.messages, now);
    this.#bytes = limits.bytes && new TokenBucket(limits.bytes, now);
  }

  /** Whether nothing was sent lately that still counts. */
  isFull(now: number): boolean {
    return (this.#messages?.isFull(now) ?? true) && (this.#bytes?.isFull(now) ?? true);
  }

  /** Counts one frame of `bytes`, as `messages` messages. */
  take(messages: number, bytes: number, now: number): Verdict {
    if (this.#since !== undefined && this.isFull(now)) this.#since = undefined;
    const ms = Math.max(this.#messages?.take(messages, now) ?? 0, this.#bytes?.take(bytes, now) ?? 0);
    if (ms === 0) return GO;
    this.#since ??= now;
    return now - this.#since >= this.#limits.floodMs ? { kind: 'flood' } : { kind: 'wait', ms };
  }
}
