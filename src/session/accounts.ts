import type { Connection } from '../wire/connection.ts';
import { Account, type AccountLimits } from './account.ts';

/** From so many accounts on, those of processes that have left and owe nothing are forgotten, at most once in this time (ms). */
const REMEMBERED = 256;
const FORGET_EVERY_MS = 1000;

interface Entry {
  readonly account: Account;
  readonly limits: AccountLimits;
  connections: number;
}

/** The accounts of all processes. One that has left is remembered while it owes, so that nobody pays by coming again. */
export class Accounts {
  readonly #byActor = new Map<string, Entry>();
  #forgotAt = Number.NEGATIVE_INFINITY;

  /** How many are known. */
  get size(): number {
    return this.#byActor.size;
  }

  /** The account of an actor that has one connection more; limits that have changed since begin without a debt. */
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
 * Who is charged for a connection: its process, and a web page's origin, behind which the system names no process. A
 * connection of which neither is known stands for itself.
 */
export function actorOf({ origin, peer }: Connection, id: string): string {
  if (peer !== undefined && peer.pid !== 0) return `pid ${peer.pid}`;
  return origin === undefined ? `session ${id}` : `origin ${origin}`;
}
