import { Bucket, type Rate } from './bucket.ts';

/** How fast one process may send. */
export interface ThrottleLimits {
  /** Frames: so many at once, so many a second after that. */
  readonly messages: Rate;
  /** Bytes likewise. */
  readonly bytes: Rate;
  /** One that stays above its rate for this long (ms) is sent CLOSE 4002. */
  readonly floodMs: number;
}

/** What to do about a frame that has just been taken. */
export type Verdict =
  | { readonly kind: 'go' }
  /** Take nothing more from this process for `ms`. */
  | { readonly kind: 'wait'; readonly ms: number }
  | { readonly kind: 'flood' };

const GO: Verdict = { kind: 'go' };

/**
 * Says for how long nothing is to be read from a process. A message rate alone does not protect the others from
 * large messages, so bytes are counted too.
 */
export class Throttle {
  readonly #limits: ThrottleLimits;
  readonly #messages: Bucket;
  readonly #bytes: Bucket;
  /** When the process went above its rate, if it is above it. */
  #since: number | undefined;

  /** `now` in ms of a monotonic clock. */
  constructor(limits: ThrottleLimits, now: number) {
    this.#limits = limits;
    this.#messages = new Bucket(limits.messages, now);
    this.#bytes = new Bucket(limits.bytes, now);
  }

  /** Whether nothing was sent lately that still counts. */
  isFull(now: number): boolean {
    return this.#messages.isFull(now) && this.#bytes.isFull(now);
  }

  /** Counts one frame of `bytes`, as so many `messages`. */
  take(messages: number, bytes: number, now: number): Verdict {
    if (this.#since !== undefined && this.isFull(now)) this.#since = undefined;
    const ms = Math.max(this.#messages.take(messages, now), this.#bytes.take(bytes, now));
    if (ms === 0) return GO;
    this.#since ??= now;
    return now - this.#since >= this.#limits.floodMs ? { kind: 'flood' } : { kind: 'wait', ms };
  }
}
