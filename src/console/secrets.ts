import { createHash, randomBytes } from 'node:crypto';

/** One-time addresses that nobody has opened yet, and how long each may wait (ms). */
const MOST_ADDRESSES = 16;
const ADDRESS_MS = 10 * 60_000;
/** Browsers at a time, and how long one may be silent (ms). */
const MOST_SESSIONS = 32;
const SESSION_MS = 12 * 60 * 60_000;
/** 128 bits. */
const BYTES = 16;

/** Who may see a console: whoever was given a one-time secret, and the browser that exchanged it. */
export interface ConsoleSecrets {
  /** A secret that opens the console once. */
  issue(): string;
  /** The secret of a new session for a one-time secret; undefined for one that is unknown, used or too old. */
  exchange(once: string): string | undefined;
  /** Whether it is a session, which is in use from now on. */
  isSession(secret: string): boolean;
}

/** `now` is in ms, on a clock that only goes forward. */
export function consoleSecrets(now: () => number = () => performance.now()): ConsoleSecrets {
  const addresses = new Bounded(MOST_ADDRESSES, ADDRESS_MS, now);
  const sessions = new Bounded(MOST_SESSIONS, SESSION_MS, now);
  return {
    issue: () => addresses.add(),
    exchange: (once) => (addresses.take(once) ? sessions.add() : undefined),
    isSession: (secret) => sessions.touch(secret),
  };
}

/** Secrets by their hash, so that how long a look-up takes tells nothing of them. The oldest makes room for a new one. */
class Bounded {
  readonly #most: number;
  readonly #ms: number;
  readonly #now: () => number;
  /** When each was last used, the oldest first. */
  readonly #known = new Map<string, number>();

  constructor(most: number, ms: number, now: () => number) {
    this.#most = most;
    this.#ms = ms;
    this.#now = now;
  }

  add(): string {
    const secret = randomBytes(BYTES).toString('base64url');
    this.#known.set(hashOf(secret), this.#now());
    const [oldest] = this.#known.keys();
    if (this.#known.size > this.#most && oldest !== undefined) this.#known.delete(oldest);
    return secret;
  }

  /** Whether it is known; it is not any more afterwards. */
  take(secret: string): boolean {
    const hash = hashOf(secret);
    const since = this.#known.get(hash);
    this.#known.delete(hash);
    return since !== undefined && this.#now() - since <= this.#ms;
  }

  touch(secret: string): boolean {
    if (!this.take(secret)) return false;
    this.#known.set(hashOf(secret), this.#now());
    return true;
  }
}

function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64');
}
