import { Places } from '../../../scheduling/places.ts';
import type { Clock } from '../../kernel/clock.ts';
import { digest, randomSecret } from '../../kernel/secrets.ts';

/** How long an authorization code can be exchanged, in milliseconds. */
const lifetime = 100_000;
/** Codes at a time; shared by whoever asks, and beyond its share its own oldest makes room. */
const mostCodes = 1024;
const mostEach = 64;

/** What an authorization code stands for until it is exchanged. */
export interface CodeRecord {
  readonly userId: string;
  readonly clientId: string;
  readonly scopes: readonly string[];
  readonly challenge: string | undefined;
  readonly nonce: string | undefined;
  readonly redirectUri: string | undefined;
  /** The guild that the application was added to, which is told already. */
  readonly guildId?: string | undefined;
  readonly integrationType?: number | undefined;
  /** The webhook that was made for the application. */
  readonly webhookId?: string | undefined;
}

interface Code {
  readonly record: CodeRecord;
  readonly asker: string;
  readonly expires: number;
}

/** Authorization codes, kept in memory only: none outlives a restart. */
export class CodeBook {
  readonly #clock: Clock;
  readonly #codes = new Map<string, Code>();
  /** What codes that were used up gave, until they would have run out; the oldest first. */
  readonly #spent = new Map<string, { readonly family: string; readonly expires: number }>();
  /** Keys of the codes by who asked for them. */
  readonly #places = new Places<string>(mostCodes);

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Issues a code of 30 letters and digits. `asker` names the process, whose codes make room for its own next ones; where
   * nobody knows it, the application stands for it.
   */
  issue(record: CodeRecord, asker = `client ${record.clientId}`): string {
    const now = this.#clock.now();
    for (const [key, { expires }] of this.#codes) if (expires <= now) this.#drop(key);
    const code = randomSecret(30);
    const key = digest(code);
    if (this.#places.of(asker).size >= mostEach) this.#dropOldestOf(asker);
    while (!this.#places.take(asker, key)) {
      // Everybody has one as long as one is free, so that whoever has none of its own finds somebody that has.
      this.#dropOldestOf(this.#places.debtor(asker) ?? (this.#places.of(asker).size > 0 ? asker : undefined));
    }
    this.#codes.set(key, { record, asker, expires: now + lifetime });
    return code;
  }

  #dropOldestOf(asker: string | undefined): void {
    const [oldest] = asker === undefined ? this.#codes.keys() : this.#places.of(asker);
    if (oldest !== undefined) this.#drop(oldest);
  }

  #drop(key: string): boolean {
    const code = this.#codes.get(key);
    if (code === undefined) return false;
    this.#places.leave(code.asker, key);
    return this.#codes.delete(key);
  }

  /** The record of a code that is neither used nor expired. */
  find(code: string): CodeRecord | undefined {
    const entry = this.#codes.get(digest(code));
    return entry !== undefined && this.#clock.now() < entry.expires ? entry.record : undefined;
  }

  /** Uses a code up; false when somebody else was first. */
  burn(code: string): boolean {
    return this.#drop(digest(code));
  }

  /** Uses a code up for the tokens of a family. */
  spend(code: string, family: string | undefined): void {
    const key = digest(code);
    const expires = this.#codes.get(key)?.expires;
    this.#drop(key);
    if (family === undefined || expires === undefined) return;
    const now = this.#clock.now();
    for (const [other, spent] of this.#spent) {
      if (now < spent.expires && this.#spent.size < mostCodes) break;
      this.#spent.delete(other);
    }
    this.#spent.set(key, { family, expires });
  }

  /** The family of tokens that a code was exchanged for, as long as the code would have been good. */
  spentFor(code: string): string | undefined {
    const spent = this.#spent.get(digest(code));
    return spent !== undefined && this.#clock.now() < spent.expires ? spent.family : undefined;
  }

  /** Drops the codes of a user and an application. */
  remove(userId: string, clientId: string): void {
    for (const [key, { record }] of this.#codes) {
      if (record.userId === userId && record.clientId === clientId) this.#drop(key);
    }
  }
}
