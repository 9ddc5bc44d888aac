import { ItemsByActor } from '../scheduling/items-by-actor.ts';
import { startDeadline } from '../session/deadline.ts';

/**
 * Time that an app has for its HANDSHAKE before its connection counts as silent (ms). An app that connects many times at
 * once has said nothing on most of these connections until their turn comes, on a busy machine for hundreds of
 * milliseconds.
 */
export const ARRIVAL_MS = 2000;

/**
 * Connections without a HANDSHAKE. The number of those that stay without one for {@link ARRIVAL_MS} is limited: of more,
 * the oldest one of the actor with the most of them is dropped, so that silent connections of one process replace each
 * other.
 */
export class SilentConnections<T extends { readonly actor: string }> {
  readonly #drop: (connection: T) => void;
  /** Time of `performance.now()` at which each connection that is not silent yet becomes so; the next one first. */
  readonly #arriving = new Map<T, number>();
  readonly #arrivingByActor = new ItemsByActor<T>();
  readonly #silent = new ItemsByActor<T>();
  /** Runs while connections arrive; one for all of them, because most send their HANDSHAKE within a millisecond. */
  #deadline: object | undefined;
  limit: number;

  constructor(limit: number, drop: (connection: T) => void) {
    this.limit = limit;
    this.#drop = drop;
  }

  add(connection: T): void {
    this.#arriving.set(connection, performance.now() + ARRIVAL_MS);
    this.#arrivingByActor.add(connection.actor, connection);
    this.#awaitNext();
  }

  /** Removes a connection that has sent its HANDSHAKE or has ended; does nothing when it is not here. */
  delete(connection: T): void {
    if (!this.#arrived(connection)) this.#silent.delete(connection.actor, connection);
  }

  /** The oldest connection of the actor. */
  oldestOf(actor: string): T | undefined {
    return this.#silent.oldest(actor) ?? this.#arrivingByActor.oldest(actor);
  }

  /** The oldest connection of the actor with the most of them; of those who are silent, if there are any. */
  oldest(): T | undefined {
    const actor = this.#silent.largestHolder() ?? this.#arrivingByActor.largestHolder();
    return actor === undefined ? undefined : this.oldestOf(actor);
  }

  #arrived(connection: T): boolean {
    this.#arrivingByActor.delete(connection.actor, connection);
    return this.#arriving.delete(connection);
  }

  #awaitNext(): void {
    if (this.#deadline !== undefined) return;
    const [next] = this.#arriving.values();
    if (next === undefined) return;
    this.#deadline = startDeadline(Math.max(0, next - performance.now()), () => this.#countSilent());
  }

  #countSilent(): void {
    this.#deadline = undefined;
    const now = performance.now();
    for (const [connection, at] of this.#arriving) {
      if (at > now) break;
      this.#arrived(connection);
      this.#silent.add(connection.actor, connection);
    }
    for (let over = this.#silent.size - this.limit; over > 0; over -= 1) {
      const oldest = this.oldest();
      if (oldest !== undefined) this.#drop(oldest);
    }
    this.#awaitNext();
  }
}
