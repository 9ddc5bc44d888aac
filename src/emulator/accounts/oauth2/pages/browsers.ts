import type { IncomingHttpHeaders } from 'node:http';
import type { MachineClock } from '../../../kernel/clock.ts';
import { digest, randomSecret } from '../../../kernel/secrets.ts';

/** How long an address to sign in with can be used, and how long a browser stays signed in (ms). */
const KEY_MS = 10 * 60_000;
const SESSION_MS = 12 * 3_600_000;
/**
 * Where a session counts. A browser sends a cookie to every port of a host, an application's own callback among them, and
 * the path is all that keeps it from there.
 */
const PAGES = ['/oauth2/authorize', '/activate'];
/** Of each at a time; the oldest goes. */
const MOST = 64;

/**
 * Browsers in which the person has signed in, by an address that is good once. Only in those does an Allow on a page count
 * while a person is to be asked: a program can press buttons too.
 */
export class Browsers {
  readonly #machine: MachineClock;
  readonly #keys = new Map<string, number>();
  readonly #sessions = new Map<string, number>();
  /**
   * A browser sends a cookie to every port of a host: what another emulator gives has another name, and whoever has not seen
   * this one cannot put another in its place. Made when it is needed: a start does without `node:crypto`.
   */
  #name: string | undefined;

  constructor(machine: MachineClock) {
    this.#machine = machine;
  }

  /** A new key for an address to sign in with; good once, for ten minutes. */
  invite(): string {
    return this.#add(this.#keys, KEY_MS);
  }

  /** Uses a key up, and gives the cookies of a session, one for each page; undefined for a key that is not good. */
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

  /** Names the session of a browser that was signed in, and is no secret; undefined for every other. */
  sessionOf({ cookie = '' }: IncomingHttpHeaders): string | undefined {
    // Without a name nobody has been signed in.
    if (this.#name === undefined) return undefined;
    const start = `${this.#name}=`;
    return cookie
      .split(';')
      .map((one) => one.trim())
      .filter((one) => one.startsWith(start))
      .map((one) => digest(one.slice(start.length)))
      .find((session) => this.#machine.monotonic() < (this.#sessions.get(session) ?? 0));
  }

  #add(book: Map<string, number>, ms: number): string {
    const secret = randomSecret(40);
    book.set(digest(secret), this.#machine.monotonic() + ms);
    const [oldest] = book.keys();
    if (book.size > MOST && oldest !== undefined) book.delete(oldest);
    return secret;
  }
}
