import type { Connection } from '../wire/connection.ts';
import { Account, type AccountLimits } from './account.ts';

/**
 * Number of accounts above which accounts without connections and debt are removed, and the minimum time between two
 * such removals (ms).
 */
const REMEMBERED = 256;
const FORGET_EVERY_MS = 1000;

interface Entry {
  readonly account: Account;
  readonly limits: AccountLimits;
  connections: number;
}

/**
 * Accounts of all processes. When a process has left, its account stays until the debt is paid, so that a reconnect
 * does not clear the debt.
 */
export class Accounts {
  readonly #byActor = new Map<string, Entry>();
  #forgotAt = Number.NEGATIVE_INFINITY;

  /** How many are known. */
  get size(): number {
    return this.#byActor.size;
  }

  /**
   * Adds a connection to the account of an actor and returns the account. When the limits have changed and the actor
   * has no other connection, a new account without debt begins.
   */
  join(actor: string, limits: AccountLimits): Account {
    const now = performance.now();
    const known = this.#byActor.get(actor);
    if (known && (known.limits === limits || known.connections > 0)) {
      known.connections += 1;
      return known.account;
    }
    if (this.#byActor.size >= REMEMBERED) this.#forgetCalm(now);
    const account = new Account(limits, now);
    this.#byActor.set(actor, { account, limits, connections: 1 });
    return account;
  }

  /** Records that a connection of the actor has ended. */
  leave(actor: string): void {
    const entry = this.#byActor.get(actor);
    if (entry === undefined) return;
    entry.connections -= 1;
    if (entry.connections === 0 && entry.account.isIdle(performance.now())) this.#byActor.delete(actor);
  }

  #forgetCalm(now: number): void {
    if (now - this.#forgotAt < FORGET_EVERY_MS) return;
    this.#forgotAt = now;
    for (const [actor, { account, connections }] of this.#byActor) {
      if (connections === 0 && account.isIdle(now)) this.#byActor.delete(actor);
    }
  }
}

/**
 * Returns the account key of a connection: its process, or the origin of a web page, for which the system reports no
 * process. A connection with neither has an account of its own.
 */
export function actorOf({ origin, peer }: Connection, id: string): string {
  if (peer !== undefined && peer.pid !== 0) return `pid ${peer.pid}`;
  return origin === undefined ? `session ${id}` : `origin ${origin}`;
}
