import type { IncomingHttpHeaders } from 'node:http';
import type { MachineClock } from '../../../kernel/clock.ts';
import { digest, randomSecret } from '../../../kernel/secrets.ts';

/** Lifetime of a sign-in URL, and of a browser's session, in milliseconds. */
const KEY_MS = 10 * 60_000;
const SESSION_MS = 12 * 3_600_000;
/**
 * Paths of the session's cookies. A browser sends a cookie to every port of a host, so also to an application's
 * callback; only the path prevents that.
 */
const PAGES = ['/oauth2/authorize', '/activate'];
/** Maximum number of keys, and of sessions. A further entry drops the oldest one. */
const MAX_ENTRIES = 64;

/**
 * Browsers in which the user has signed in with a single-use URL. When a prompt is required, an Allow on a page counts
 * only in these browsers, because a program can press buttons as well.
 */
export class Browsers {
  readonly #machine: MachineClock;
  readonly #keys = new Map<string, number>();
  readonly #sessions = new Map<string, number>();
  /**
   * Random name of the cookie. Browsers send cookies to every port of a host, so each emulator needs a name of its own
   * that others cannot guess. It is created on first use, because the start must work without `node:crypto`.
   */
  #name: string | undefined;

  constructor(machine: MachineClock) {
    this.#machine = machine;
  }

  /** Creates a key for a sign-in URL. The key is valid once, for ten minutes. */
  invite(): string {
    return this.#add(this.#keys, KEY_MS);
  }

  /** Invalidates a key, and returns the cookies of a new session, one for each page; undefined for an invalid key. */
  signIn(key: string): string[] | undefined {
    const hash = digest(key);
    const expires = this.#keys.get(hash);
    this.#keys.delete(hash);
    if (expires === undefined || expires <= this.#machine.monotonic()) return undefined;
    const session = this.#add(this.#sessions, SESSION_MS);
    const age = `HttpOnly; SameSite=Lax; Max-Age=${SESSION_MS / 1000}`;
    this.#name ??= `footbridge_${randomSecret(12)}`;
    return PAGES.map((path) => `${this.#name}=${session}; Path=${path}; ${age}`);
  }

  /** Public id of the session of a signed-in browser; undefined for any other browser. */
  sessionOf({ cookie = '' }: IncomingHttpHeaders): string | undefined {
    // The name is created at the first sign-in, so without a name no browser has signed in.
    if (this.#name === undefined) return undefined;
    const start = `${this.#name}=`;
    return cookie
      .split(';')
      .map((one) => one.trim())
      .filter((one) => one.startsWith(start))
      .map((one) => digest(one.slice(start.length)))
      .find((session) => this.#machine.monotonic() < (this.#sessions.get(session) ?? 0));
  }

  #add(entries: Map<string, number>, ms: number): string {
    const secret = randomSecret(40);
    entries.set(digest(secret), this.#machine.monotonic() + ms);
    const [oldest] = entries.keys();
    if (entries.size > MAX_ENTRIES && oldest !== undefined) entries.delete(oldest);
    return secret;
  }
}
