import { HEADER_BYTES } from '../wire/frame.ts';
import type { Limits } from './limits.ts';
import { RateLimit, type Rates, TokenBucket, type Verdict } from './rate-limit.ts';
import { newTurnShare } from './turn-share.ts';

/** Averaging time of the share of a core (s): it may be exceeded at once for this long. */
const AVERAGED_OVER_S = 10;
/**
 * Maximum charge of a process for one frame (ms): a longer time is a suspended machine, for which the process is
 * not responsible.
 */
const MAX_WORK_MS = 100;

/** A connection that waits until its process may send more. */
export interface Waiter {
  /** Resumes taking frames until {@link Account.admits} returns false again. */
  goOn(): void;
}

/** The limits that a process is held to. */
export type AccountLimits = Pick<
  Limits,
  'messagesBurst' | 'messagesPerSecond' | 'bytesPerSecond' | 'floodMs' | 'frameBytes' | 'shareOfCore'
>;

/**
 * Limits of one process over all its connections: frames, bytes, and processing time. While the account is in debt,
 * nothing more is taken from any of them; afterwards they resume one after the other.
 */
export class Account {
  /** Its share of the turn of the event loop; see {@link TurnShares}. */
  readonly turnShare = newTurnShare();
  /** Undefined unless a rate is configured. */
  readonly #rate: RateLimit | undefined;
  /** Undefined unless a share of a core is configured. */
  readonly #work: TokenBucket | undefined;
  /** Time from which a frame may be taken; 0 while there is no debt (ms of a monotonic clock). */
  #freeAt = 0;
  /** Waiting connections, in their order. */
  readonly #waiting = new Set<Waiter>();
  #timer: NodeJS.Timeout | undefined;

  /** `now` in ms of a monotonic clock, here and below. */
  constructor(limits: AccountLimits, now: number) {
    const { floodMs, shareOfCore } = limits;
    const rates = ratesOf(limits);
    this.#rate = rates && new RateLimit({ ...rates, floodMs }, now);
    const perSecond = shareOfCore * 1000;
    const burst = perSecond * AVERAGED_OVER_S;
    this.#work = shareOfCore < 1 ? new TokenBucket({ burst, perSecond }, now) : undefined;
  }

  /** Whether a frame may be taken now. If not, the waiter is resumed in its turn. */
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

  /** Whether it has sent nothing lately that still counts. */
  isIdle(now: number): boolean {
    return this.#waiting.size === 0 && (this.#rate?.isFull(now) ?? true) && (this.#work?.isFull(now) ?? true);
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
        // May come to wait again, as the last.
        waiter.goOn();
      }
      if (this.#waiting.size > 0) this.#schedule();
    }, this.#freeAt - performance.now()).unref();
  }
}

/** The other half of a rate of messages that has just one. */
const BURST = 240;
const PER_SECOND = 120;

/** The configured rates; 0 stands for none. */
function ratesOf(limits: AccountLimits): Rates | undefined {
  const { messagesBurst, messagesPerSecond, bytesPerSecond, frameBytes } = limits;
  const countsMessages = messagesBurst > 0 || messagesPerSecond > 0;
  if (!countsMessages && bytesPerSecond === 0) return undefined;
  const messages = { burst: messagesBurst || BURST, perSecond: messagesPerSecond || PER_SECOND };
  // The largest frame must not count as a debt by itself.
  const burst = Math.max(bytesPerSecond, frameBytes + HEADER_BYTES);
  return {
    messages: countsMessages ? messages : undefined,
    bytes: bytesPerSecond > 0 ? { burst, perSecond: bytesPerSecond } : undefined,
  };
}
