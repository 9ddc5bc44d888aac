/** A rate: the amount that is allowed at once (`burst`), and per second after that. */
export interface Rate {
  readonly burst: number;
  readonly perSecond: number;
}

/**
 * A token bucket that may fall into debt: it counts every amount, and its debt determines the delay before more is
 * taken. It never refuses an amount.
 */
export class TokenBucket {
  readonly #rate: Rate;
  #tokens: number;
  #at: number;

  /** `now` is the current time in ms of a monotonic clock, as in all methods. */
  constructor(rate: Rate, now: number) {
    this.#rate = rate;
    this.#tokens = rate.burst;
    this.#at = now;
  }

  /** Takes `amount` and returns the delay until the debt is paid (ms); 0 without a debt. */
  take(amount: number, now: number): number {
    this.#refill(now);
    this.#tokens -= amount;
    return this.#tokens >= 0 ? 0 : (-this.#tokens / this.#rate.perSecond) * 1000;
  }

  /** Whether the bucket is full again, because little or nothing was taken lately. */
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

/** Rates of one process; undefined means no limit. */
export interface Rates {
  /** Frames: burst and rate per second. */
  readonly messages: Rate | undefined;
  /** Bytes likewise. */
  readonly bytes: Rate | undefined;
}

/** Rates, and the consequence of exceeding them. */
export interface RateLimits extends Rates {
  /** Time after which a process that stays above its rate gets CLOSE 4002 (ms). */
  readonly floodMs: number;
}

/** Decision about a frame that has just been taken. */
export type Verdict =
  | { readonly kind: 'go' }
  /** No frame may be taken from this process for `ms` milliseconds. */
  | { readonly kind: 'wait'; readonly ms: number }
  | { readonly kind: 'flood' };

const GO: Verdict = { kind: 'go' };

/**
 * Computes for how long no frame is taken from a process. Bytes are counted too, because a message rate alone does not
 * protect other processes from large messages.
 */
export class RateLimit {
  readonly #limits: RateLimits;
  readonly #messages: TokenBucket | undefined;
  readonly #bytes: TokenBucket | undefined;
  /** Time since which the process is above its rate; undefined while it is not. */
  #since: number | undefined;

  /** `now` is the current time in ms of a monotonic clock, as in all methods. */
  constructor(limits: RateLimits, now: number) {
    this.#limits = limits;
    this.#messages = limits.messages && new TokenBucket(limits.messages, now);
    this.#bytes = limits.bytes && new TokenBucket(limits.bytes, now);
  }

  /** Whether all budgets are full again. */
  isFull(now: number): boolean {
    return (this.#messages?.isFull(now) ?? true) && (this.#bytes?.isFull(now) ?? true);
  }

  /** Counts one frame of `bytes` as `messages` messages (0 or 1). */
  take(messages: number, bytes: number, now: number): Verdict {
    if (this.#since !== undefined && this.isFull(now)) this.#since = undefined;
    const ms = Math.max(this.#messages?.take(messages, now) ?? 0, this.#bytes?.take(bytes, now) ?? 0);
    if (ms === 0) return GO;
    this.#since ??= now;
    return now - this.#since >= this.#limits.floodMs ? { kind: 'flood' } : { kind: 'wait', ms };
  }
}
