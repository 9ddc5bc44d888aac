import type { Clock } from '../../kernel/clock.ts';

/** Sessions that a bot may start in a day. */
const TOTAL = 1000;
const DAY_MS = 24 * 60 * 60 * 1000;
/** For so long each of the sessions that may start at once keeps the next one waiting (ms). */
const SPACING_MS = 5000;
/** Applications that are remembered. */
const MOST = 10_000;

interface Count {
  readonly ends: number;
  used: number;
  /** When a session was last started, by `shard_id % max_concurrency`. */
  readonly last: Map<number, number>;
}

/** How many sessions an application may start, as the platform tells its bot. */
export interface StartLimit {
  readonly total: number;
  readonly remaining: number;
  /** Milliseconds. */
  readonly reset_after: number;
  readonly max_concurrency: number;
}

/** Counts the sessions that bots start. */
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

  /** Counts a start; false where it comes too soon after another, or too often, and `enforced` says that this matters. */
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
    if (this.#counts.size > MOST && oldest !== undefined) this.#counts.delete(oldest);
    return true;
  }

  /** One that ends later than a day from now began before the clock was set back. */
  #current(application: string): Count | undefined {
    const count = this.#counts.get(application);
    const now = this.#clock.now();
    return count !== undefined && count.ends > now && count.ends <= now + DAY_MS ? count : undefined;
  }
}
