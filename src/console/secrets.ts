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
  /** A secret that opens the console once, asked for by the first of these processes, which the others have started. */
  issue(askedBy: readonly number[]): string;
  /** The secret of a new session for a one-time secret; undefined for one that is unknown, used or too old. */
  exchange(once: string): string | undefined;
  /** Who asked for the address of a session, which is in use from now on; undefined for a secret of none. */
  session(secret: string): readonly number[] | undefined;
}

/** `now` is in ms, on a clock that only goes forward. */
export function consoleSecrets(now: () => number = () => performance.now()): ConsoleSecrets {
  const addresses = new Bounded(MOST_ADDRESSES, ADDRESS_MS, now);
  const sessions = new Bounded(MOST_SESSIONS, SESSION_MS, now);
  return {
    issue: (askedBy) => addresses.add(askedBy),
    exchange(once) {
      const askedBy = addresses.take(once);
      return askedBy === undefined ? undefined : sessions.add(askedBy);
    },
    session: (secret) => sessions.touch(secret),
  };
}

interface Kept {
  readonly askedBy: readonly number[];
  /** When it was last used (ms). */
  readonly used: number;
}

/** Secrets by their hash, so that how long a look-up takes tells nothing of them. The oldest makes room for a new one. */
class Bounded {
  readonly #most: number;
  readonly #ms: number;
  readonly #now: () => number;
  /** What was not used for longest comes first. */
  readonly #known = new Map<string, Kept>();

  constructor(most: number, ms: number, now: () => number) {
    this.#most = most;
    this.#ms = ms;
    this.#now = now;
  }

  add(askedBy: readonly number[]): string {
    const secret = randomBytes(BYTES).toString('base64url');
    this.#keep(secret, askedBy);
    const [oldest] = this.#known.keys();
    if (this.#known.size > this.#most && oldest !== undefined) this.#known.delete(oldest);
    return secret;
  }

  /** Who asked for it, where it is known; it is not any more afterwards. */
  take(secret: string): readonly number[] | undefined {
    const hash = hashOf(secret);
    const kept = this.#known.get(hash);
    this.#known.delete(hash);
    return kept !== undefined && this.#now() - kept.used <= this.#ms ? kept.askedBy : undefined;
  }

  touch(secret: string): readonly number[] | undefined {
    const askedBy = this.take(secret);
    if (askedBy !== undefined) this.#keep(secret, askedBy);
    return askedBy;
  }

  #keep(secret: string, askedBy: readonly number[]): void {
    this.#known.set(hashOf(secret), { askedBy, used: this.#now() });
  }
}

function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64');
}
