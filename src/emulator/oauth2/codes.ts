import type { Clock } from '../clock.ts';
import { OAuth2Error } from './error.ts';
import { digest, randomSecret } from './random.ts';

/** How long an authorization code can be exchanged, in milliseconds. */
const lifetime = 100_000;
const mostCodes = 1024;
/** One application cannot take the codes of all: beyond this its own oldest makes room. */
const mostPerApplication = 64;

/** What an authorization code stands for until it is exchanged. */
export interface CodeRecord {
  readonly userId: string;
  readonly clientId: string;
  readonly scopes: readonly string[];
  readonly challenge: string | undefined;
  readonly nonce: string | undefined;
  readonly redirectUri: string | undefined;
}

/** Authorization codes, kept in memory only: none outlives a restart. */
export class CodeBook {
  readonly #clock: Clock;
  readonly #codes = new Map<string, { readonly record: CodeRecord; readonly expires: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Issues a code of 30 letters and digits. @throws OAuth2Error when too many are waiting for their exchange. */
  issue(record: CodeRecord): string {
    const now = this.#clock.now();
    for (const [key, { expires }] of this.#codes) if (expires <= now) this.#codes.delete(key);
    const own = [...this.#codes].filter(([, { record: other }]) => other.clientId === record.clientId);
    if (own.length >= mostPerApplication) this.#codes.delete(own[0]?.[0] ?? '');
    if (this.#codes.size >= mostCodes) {
      throw new OAuth2Error('temporarily_unavailable', 'Too many codes are waiting to be exchanged.');
    }
    const code = randomSecret(30);
    this.#codes.set(digest(code), { record, expires: now + lifetime });
    return code;
  }

  /** The record of a code that is neither used nor expired. */
  find(code: string): CodeRecord | undefined {
    const entry = this.#codes.get(digest(code));
    return entry !== undefined && this.#clock.now() < entry.expires ? entry.record : undefined;
  }

  /** Uses a code up; false when somebody else was first. */
  burn(code: string): boolean {
    return this.#codes.delete(digest(code));
  }

  /** Drops the codes of a user and an application. */
  remove(userId: string, clientId: string): void {
    for (const [key, { record }] of this.#codes) {
      if (record.userId === userId && record.clientId === clientId) this.#codes.delete(key);
    }
  }
}
