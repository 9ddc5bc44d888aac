import { HEADER_BYTES } from '../wire/frame.ts';
import type { Limits } from './limits.ts';
import { RateLimit, type Rates, TokenBucket, type Verdict } from './rate-limit.ts';
import { newTurnShare } from './turn-share.ts';

/** So long may the share of a core be exceeded at once (s): it is an average over this time. */
const AVERAGED_OVER_S = 10;
/** A process is charged no more for one frame (ms): more than that is a suspended machine, and not its doing. */
const MAX_WORK_MS = 100;

/** A connection that waits until its process may send more. */
export interface Waiter {
  /** Takes what waits, until {@link Account.admits} says no again. */
  goOn(): void;
}

/** The limits that a process is held to. */
export type AccountLimits = Pick<
  Limits,
  'messagesBurst' | 'messagesPerSecond' | 'bytesPerSecond' | 'floodMs' | 'frameBytes' | 'shareOfCore'
>;

/**
 * What the connections of one process may send in all: frames, bytes, and time of ours that they take. Once it owes,
 * nothing more is taken from any of them until that is paid; then they go on one after the other.
 */
export class Account {
  /** What it has of the turn of the event loop; see {@link TurnShares}. */
  readonly turnShare = newTurnShare();
  /** Where a rate was asked for. */
  readonly #rate: RateLimit | undefined;
  /** Where a share of a core was asked for. */
  readonly #work: TokenBucket | undefined;
  /** From when on a frame may be taken; 0 while nothing is owed (ms of a monotonic clock). */
  #freeAt = 0;
  /** Those that have something to be taken, in their order. */
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

  /** Whether a frame may be taken now. If not, the waiter is told to go on in its turn. */
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

  /** Counts a frame of `bytes` that was taken; `messages` is 0 for one that no rate of messages counts. */
  take(messages: number, bytes: number, now: number): Verdict['kind'] {
    if (this.#rate === undefined) return 'go';
    const verdict = this.#rate.take(messages, bytes, now);
    if (verdict.kind === 'wait') this.#owes(verdict.ms, now);
    return verdict.kind;
  }

  /** Counts time (ms) that went into what the process asked for. */
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

/** The rates that were asked for; 0 stands for none. */
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
