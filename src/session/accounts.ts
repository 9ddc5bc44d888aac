import type { Connection } from '../wire/connection.ts';
import { Account, type AccountLimits } from './account.ts';

/**
 * At this number of accounts, those of processes that have left without debt are removed, at most once in this time
 * (ms).
 */
const REMEMBERED = 256;
const FORGET_EVERY_MS = 1000;

interface Entry {
  readonly account: Account;
  readonly limits: AccountLimits;
  connections: number;
}

/**
 * The accounts of all processes. The account of a process that has left stays until its debt is paid, so a
 * reconnect does not clear it.
 */
export class Accounts {
  readonly #byActor = new Map<string, Entry>();
  #forgotAt = Number.NEGATIVE_INFINITY;

  /** How many are known. */
  get size(): number {
    return this.#byActor.size;
  }

  /** The account of an actor with a further connection; limits that have changed since begin without a debt. */
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

  /** A connection of the actor has left. */
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
 * Account key of a connection: its process, or a web page's origin, for which the system reports no process. A
 * connection of unknown process and origin has an account of its own.
 */
export function actorOf({ origin, peer }: Connection, id: string): string {
  if (peer !== undefined && peer.pid !== 0) return `pid ${peer.pid}`;
  return origin === undefined ? `session ${id}` : `origin ${origin}`;
}
