import type { IncomingHttpHeaders } from 'node:http';
import type { MachineClock } from '../../clock.ts';
import { digest, randomSecret } from '../random.ts';

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

  constructor(machine: MachineClock) {
    this.#machine = machine;
  }

  /** A new key for an address to sign in with; good once, for ten minutes. */
  invite(): string {
    return this.#add(this.#keys, KEY_MS);
  }

  /** Uses a key up, and gives the cookies of a session, one for each page; undefined for a key that is not good. */
  signIn(key: string, port: string): string[] | undefined {
    const hash = digest(key);
    const expires = this.#keys.get(hash);
    this.#keys.delete(hash);
    if (expires === undefined || expires <= this.#machine.monotonic()) return undefined;
    const session = this.#add(this.#sessions, SESSION_MS);
    const age = `HttpOnly; SameSite=Lax; Max-Age=${SESSION_MS / 1000}`;
    return PAGES.map((path) => `${nameOf(port)}=${session}; Path=${path}; ${age}`);
  }

  /** Whether a request comes from a browser that was signed in. */
  isSignedIn({ cookie = '', host = '' }: IncomingHttpHeaders): boolean {
    const name = nameOf(portOf(host));
    const found = cookie.split(';').find((one) => one.trim().startsWith(`${name}=`));
    const expires = this.#sessions.get(digest(found?.trim().slice(name.length + 1) ?? ''));
    return expires !== undefined && this.#machine.monotonic() < expires;
  }

  #add(book: Map<string, number>, ms: number): string {
    const secret = randomSecret(40);
    book.set(digest(secret), this.#machine.monotonic() + ms);
    const [oldest] = book.keys();
    if (book.size > MOST && oldest !== undefined) book.delete(oldest);
    return secret;
  }
}

/** Cookies do not tell ports apart, and several emulators may run on one machine. */
function nameOf(port: string): string {
  return `footbridge_${port}`;
}

/** The port in a Host header. */
export function portOf(host: string): string {
  return host.split(':').at(-1) ?? '';
}
