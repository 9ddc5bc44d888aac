import { createHash, randomBytes } from 'node:crypto';

/** Maximum of unused one-time addresses, and the lifetime of an address (ms). */
const MAX_ADDRESSES = 16;
const ADDRESS_MS = 10 * 60_000;
/** Maximum of sessions, and the time until an idle session expires (ms). */
const MAX_SESSIONS = 32;
const SESSION_MS = 12 * 60 * 60_000;
/** 128 bits. */
const BYTES = 16;

/** Access to a console: one-time secrets, and the sessions of browsers that exchanged such a secret. */
export interface ConsoleSecrets {
  /** Issues a one-time secret. The first of the processes requested the secret; the others are its ancestors. */
  issue(requesters: readonly number[]): string;
  /**
   * Exchanges a one-time secret for the secret of a new session; undefined for a secret that is unknown, used or
   * expired.
   */
  exchange(once: string): string | undefined;
  /**
   * Returns the processes that requested the address of a session, and restarts the session's idle time; undefined for
   * an unknown secret.
   */
  session(secret: string): readonly number[] | undefined;
}

/** Creates an empty store of secrets. `now` is in ms, from a monotonic clock. */
export function consoleSecrets(now: () => number = () => performance.now()): ConsoleSecrets {
  const addresses = new Bounded(MAX_ADDRESSES, ADDRESS_MS, now);
  const sessions = new Bounded(MAX_SESSIONS, SESSION_MS, now);
  return {
    issue: (requesters) => addresses.add(requesters),
    exchange(once) {
      const requesters = addresses.take(once);
      return requesters === undefined ? undefined : sessions.add(requesters);
    },
    session: (secret) => sessions.touch(secret),
  };
}

interface Entry {
  readonly requesters: readonly number[];
  /** Time of the last use (ms). */
  readonly used: number;
}

/**
 * Bounded store of secrets. Secrets are stored by hash, so that the duration of a lookup reveals nothing. At the
 * maximum a new secret replaces the oldest.
 */
class Bounded {
  readonly #max: number;
  readonly #ms: number;
  readonly #now: () => number;
  /** Least recently used first. */
  readonly #known = new Map<string, Entry>();

  constructor(max: number, ms: number, now: () => number) {
    this.#max = max;
    this.#ms = ms;
    this.#now = now;
  }

  add(requesters: readonly number[]): string {
    const secret = randomBytes(BYTES).toString('base64url');
    this.#store(secret, requesters);
    const [oldest] = this.#known.keys();
    if (this.#known.size > this.#max && oldest !== undefined) this.#known.delete(oldest);
    return secret;
  }

  /** Removes a secret and returns its requesters, or undefined if it is unknown or expired. */
  take(secret: string): readonly number[] | undefined {
    const hash = hashOf(secret);
    const entry = this.#known.get(hash);
    this.#known.delete(hash);
    return entry !== undefined && this.#now() - entry.used <= this.#ms ? entry.requesters : undefined;
  }

  touch(secret: string): readonly number[] | undefined {
    const requesters = this.take(secret);
    if (requesters !== undefined) this.#store(secret, requesters);
    return requesters;
  }

  #store(secret: string, requesters: readonly number[]): void {
    this.#known.set(hashOf(secret), { requesters, used: this.#now() });
  }
}

function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64');
}
