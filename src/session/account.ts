import type { Waiter } from '../scheduling/scheduler.ts';
import { HEADER_BYTES } from '../wire/frame.ts';
import type { Limits } from './limits.ts';
import { RateLimit, type Rates, TokenBucket, type Verdict } from './rate-limit.ts';

/**
 * Period over which a process's share of a core is averaged (s): after an idle time the process may use the share of
 * this period at once.
 */
const AVERAGED_OVER_S = 10;
/**
 * Maximum charge of a process for one frame (ms): a longer time means that the machine was suspended, for which the
 * process is not responsible.
 */
const MAX_WORK_MS = 100;

/** Limits that apply to one process. */
export type AccountLimits = Pick<
  Limits,
  | 'messagesBurst'
  | 'messagesPerSecond'
  | 'bytesPerSecond'
  | 'floodMs'
  | 'frameBytes'
  | 'shareOfCore'
  | 'connectsBurst'
  | 'connectsPerSecond'
>;

/**
 * Limits of one process over all its connections: number of frames, bytes, and processing time. While the account is in
 * debt, no frame is taken from any of the connections; afterwards they resume one after the other.
 */
export class Account {
  /** Rate of the process; undefined unless a rate is configured. */
  readonly #rate: RateLimit | undefined;
  /** Processing time of the process; undefined unless a share of a core is configured. */
  readonly #work: TokenBucket | undefined;
  /** Connects of the process; undefined unless a rate is configured. */
  readonly #connects: TokenBucket | undefined;
  /** Time at which the account's debt is paid and a frame may be taken (ms of a monotonic clock); 0 without a debt. */
  #freeAt = 0;
  /** Waiting connections in the order in which they resume. */
  readonly #waiting = new Set<Waiter>();
  #timer: NodeJS.Timeout | undefined;

  /** `now` is the current time in ms of a monotonic clock, as in all methods. */
  constructor(limits: AccountLimits, now: number) {
    const { floodMs, shareOfCore, connectsBurst, connectsPerSecond } = limits;
    const rates = ratesOf(limits);
    this.#rate = rates && new RateLimit({ ...rates, floodMs }, now);
    const perSecond = shareOfCore * 1000;
    const burst = perSecond * AVERAGED_OVER_S;
    this.#work = shareOfCore < 1 ? new TokenBucket({ burst, perSecond }, now) : undefined;
    this.#connects =
      connectsPerSecond > 0
        ? new TokenBucket({ burst: connectsBurst, perSecond: connectsPerSecond }, now)
        : undefined;
  }

  /** Whether a frame may be taken now. If not, the account resumes the waiter when its turn comes. */
  admits(waiter: Waiter): boolean {
    if (this.#freeAt === 0 || this.#isFree(performance.now())) return true;
    this.#waiting.add(waiter);
    this.#schedule();
    return false;
  }

  /** The waiter has left. */
  forget(waiter: Waiter): void {
    this.#waiting.delete(waiter);
    if (this.#waiting.size > 0) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** Counts a connect and returns the delay until it may be served (ms); 0 unless a rate is configured and exceeded. */
  connect(now: number): number {
    return this.#connects?.take(1, now) ?? 0;
  }

  /** Counts a frame of `bytes` that was taken; `messages` is 0 for a frame outside the message rate. */
  take(messages: number, bytes: number, now: number): Verdict['kind'] {
    if (this.#rate === undefined) return 'go';
    const verdict = this.#rate.take(messages, bytes, now);
    if (verdict.kind === 'wait') this.#owes(verdict.ms, now);
    return verdict.kind;
  }

  /** Counts processing time (ms) of the process's requests. */
  worked(ms: number, now: number): void {
    if (this.#work === undefined) return;
    this.#owes(this.#work.take(Math.min(ms, MAX_WORK_MS), now), now);
  }

  /** Whether the account has no debt, no waiter and full budgets, so that it can be forgotten. */
  isIdle(now: number): boolean {
    return (
      this.#waiting.size === 0 &&
      (this.#rate?.isFull(now) ?? true) &&
      (this.#work?.isFull(now) ?? true) &&
      (this.#connects?.isFull(now) ?? true)
    );
  }

  #owes(ms: number, now: number): void {
    if (ms > 0) this.#freeAt = Math.max(this.#freeAt, now + ms);
  }

  #isFree(now: number): boolean {
    if (now < this.#freeAt) return false;
    this.#freeAt = 0;
    return true;
  }

  #schedule(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      for (const waiter of this.#waiting) {
        if (!this.#isFree(performance.now())) break;
        this.#waiting.delete(waiter);
        // The waiter may have to wait again, and is then the last in the order.
        waiter.goOn();
      }
      if (this.#waiting.size > 0) this.#schedule();
    }, this.#freeAt - performance.now()).unref();
  }
}

/** Default burst and rate of messages, for a configuration that sets only one of the two. */
const BURST = 240;
const PER_SECOND = 120;

/** Returns the configured rates; a limit of 0 means no rate. */
function ratesOf(limits: AccountLimits): Rates | undefined {
  const { messagesBurst, messagesPerSecond, bytesPerSecond, frameBytes } = limits;
  const countsMessages = messagesBurst > 0 || messagesPerSecond > 0;
  if (!countsMessages && bytesPerSecond === 0) return undefined;
  const messages = { burst: messagesBurst || BURST, perSecond: messagesPerSecond || PER_SECOND };
  // The burst is at least one frame of maximum size, so that such a frame alone causes no debt.
  const burst = Math.max(bytesPerSecond, frameBytes + HEADER_BYTES);
  return {
    messages: countsMessages ? messages : undefined,
    bytes: bytesPerSecond > 0 ? { burst, perSecond: bytesPerSecond } : undefined,
  };
}
