import { SlotPool } from '../../../scheduling/slot-pool.ts';
import type { Clock } from '../../kernel/clock.ts';
import { digest, randomSecret } from '../../kernel/secrets.ts';

/** Lifetime of an authorization code in milliseconds. */
const lifetime = 100_000;
/**
 * Maximum number of codes, in total and per requester. A requester that exceeds its share loses its own oldest code.
 */
const maxCodes = 1024;
const maxCodesEach = 64;

/** The authorization that a code can be exchanged for. */
export interface CodeRecord {
  readonly userId: string;
  readonly clientId: string;
  readonly scopes: readonly string[];
  readonly challenge: string | undefined;
  readonly nonce: string | undefined;
  readonly redirectUri: string | undefined;
  /** The guild that the application was added to. The authorization was signalled at that time. */
  readonly guildId?: string | undefined;
  readonly integrationType?: number | undefined;
  /** The webhook that was created for the application. */
  readonly webhookId?: string | undefined;
}

interface Code {
  readonly record: CodeRecord;
  readonly requester: string;
  readonly expires: number;
}

/** Authorization codes, in memory only: none survives a restart. */
export class CodeStore {
  readonly #clock: Clock;
  readonly #codes = new Map<string, Code>();
  /** Token families of used codes, until the code's expiry; oldest first. */
  readonly #spent = new Map<string, { readonly family: string; readonly expires: number }>();
  /** Keys of the codes by requester. */
  readonly #slots = new SlotPool<string>(maxCodes);

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Issues a code of 30 letters and digits. `requester` identifies the process; only its own codes are dropped for its
   * newer ones. Without it, the application is the requester.
   */
  issue(record: CodeRecord, requester = `client ${record.clientId}`): string {
    const now = this.#clock.now();
    for (const [key, { expires }] of this.#codes) if (expires <= now) this.#drop(key);
    const code = randomSecret(30);
    const key = digest(code);
    if (this.#slots.of(requester).size >= maxCodesEach) this.#dropOldestOf(requester);
    while (!this.#slots.take(requester, key)) {
      // Every requester gets a slot while one is free. So if this requester holds no code, another requester holds one
      // that can be dropped.
      this.#dropOldestOf(
        this.#slots.holderToEvict(requester) ?? (this.#slots.of(requester).size > 0 ? requester : undefined),
      );
    }
    this.#codes.set(key, { record, requester, expires: now + lifetime });
    return code;
  }

  #dropOldestOf(requester: string | undefined): void {
    const [oldest] = requester === undefined ? this.#codes.keys() : this.#slots.of(requester);
    if (oldest !== undefined) this.#drop(oldest);
  }

  #drop(key: string): boolean {
    const code = this.#codes.get(key);
    if (code === undefined) return false;
    this.#slots.leave(code.requester, key);
    return this.#codes.delete(key);
  }

  /** The record of an unused, unexpired code. */
  find(code: string): CodeRecord | undefined {
    const entry = this.#codes.get(digest(code));
    return entry !== undefined && this.#clock.now() < entry.expires ? entry.record : undefined;
  }

  /** Invalidates a code; false for a code that was used already. */
  burn(code: string): boolean {
    return this.#drop(digest(code));
  }

  /** Invalidates a code and records the token family that the code was exchanged for. */
  spend(code: string, family: string | undefined): void {
    const key = digest(code);
    const expires = this.#codes.get(key)?.expires;
    this.#drop(key);
    if (family === undefined || expires === undefined) return;
    const now = this.#clock.now();
    for (const [other, spent] of this.#spent) {
      if (now < spent.expires && this.#spent.size < maxCodes) break;
      this.#spent.delete(other);
    }
    this.#spent.set(key, { family, expires });
  }

  /** The token family that a code was exchanged for; known until the code's expiry. */
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
