import type { Clock } from '../../kernel/clock.ts';

/** Number of sessions that a bot may start per day. */
const TOTAL = 1000;
const DAY_MS = 24 * 60 * 60 * 1000;
/** Minimum interval between session starts in one concurrency bucket, in milliseconds. */
const SPACING_MS = 5000;
/** Maximum number of applications whose session starts are remembered. */
const MAX_APPLICATIONS = 10_000;

interface Count {
  readonly ends: number;
  used: number;
  /** Time of the last session start, by `shard_id % max_concurrency`. */
  readonly last: Map<number, number>;
}

/** The session start limit of an application, in the form its bot receives. */
export interface StartLimit {
  readonly total: number;
  readonly remaining: number;
  /** In milliseconds. */
  readonly reset_after: number;
  readonly max_concurrency: number;
}

/** Counts the session starts of bots. */
export class SessionStarts {
  readonly #clock: Clock;
  readonly #counts = new Map<string, Count>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  limitOf(application: string, max_concurrency: number): StartLimit {
    const count = this.#current(application);
    return {
      total: TOTAL,
      remaining: TOTAL - (count?.used ?? 0),
      reset_after: count === undefined ? 0 : count.ends - this.#clock.now(),
      max_concurrency,
    };
  }

  /** Counts a session start. Returns false, without counting, when `enforced` is set and the start exceeds a limit. */
  take(
    application: string,
    shard: number,
    { max_concurrency, enforced }: { readonly max_concurrency: number; readonly enforced: boolean },
  ): boolean {
    const now = this.#clock.now();
    const count = this.#current(application) ?? { ends: now + DAY_MS, used: 0, last: new Map() };
    const key = shard % max_concurrency;
    const last = count.last.get(key);
    const isSoon = last !== undefined && last <= now && now - last < SPACING_MS;
    if (enforced && (isSoon || count.used >= TOTAL)) return false;
    count.used = Math.min(TOTAL, count.used + 1);
    count.last.set(key, now);
    this.#counts.delete(application);
    this.#counts.set(application, count);
    const [oldest] = this.#counts.keys();
    if (this.#counts.size > MAX_APPLICATIONS && oldest !== undefined) this.#counts.delete(oldest);
    return true;
  }

  /**
   * The current count of an application. A count that ends more than a day from now began before the clock was set
   * back, so it is ignored.
   */
  #current(application: string): Count | undefined {
    const count = this.#counts.get(application);
    const now = this.#clock.now();
    return count !== undefined && count.ends > now && count.ends <= now + DAY_MS ? count : undefined;
  }
}
