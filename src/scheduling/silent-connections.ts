import { startDeadline } from './deadline.ts';
import { ItemsByActor } from './items-by-actor.ts';

/** Options of {@link SilentConnections}. */
export interface SilentOptions<T> {
  /** Maximum number of connections that count as silent. */
  readonly limit: number;
  /** Time that a connection has before it counts as silent (ms); by default it counts at once. */
  readonly arrivalMs?: number;
  /**
   * Which connection is dropped: the one that has been silent for the longest time (default) or, where the bridge itself
   * causes the delay, a random one.
   */
  readonly dropped?: 'oldest' | 'any';
  /** Actor of a connection. By default all connections are those of one actor. */
  actorOf?(connection: T): string;
  /** Whether a connection may be dropped; by default all may. */
  mayDrop?(connection: T): boolean;
  /** Ends a connection beyond the limit. */
  drop(connection: T): void;
}

/**
 * Connections that have not sent what their server waits for: a HANDSHAKE, a request, a sign of their owner. Of more
 * than the limit, one of the actor with the most of them is dropped, so that silent connections lock nobody out, and
 * those of one process replace each other.
 */
export class SilentConnections<T> {
  readonly #options: SilentOptions<T>;
  /** Time of `performance.now()` at which each connection that is not silent yet becomes so; the next one first. */
  readonly #arriving = new Map<T, number>();
  readonly #arrivingByActor = new ItemsByActor<T>();
  readonly #silent = new ItemsByActor<T>();
  /** Runs while connections arrive; one for all of them, because most send their HANDSHAKE within a millisecond. */
  #deadline: object | undefined;
  limit: number;

  constructor(options: SilentOptions<T>) {
    this.#options = options;
    this.limit = options.limit;
  }

  /** Adds a connection; returns false when this very connection was dropped, because no other may be. */
  add(connection: T): boolean {
    const { arrivalMs = 0 } = this.#options;
    if (arrivalMs === 0) return this.#count(connection);
    this.#arriving.set(connection, performance.now() + arrivalMs);
    this.#arrivingByActor.add(this.#actorOf(connection), connection);
    this.#awaitNext();
    return true;
  }

  /** Restarts the wait of a connection; does nothing when it is not here. */
  renew(connection: T): void {
    if (this.delete(connection)) this.add(connection);
  }

  /** Removes a connection that is no longer silent or has ended; returns false when it is not here. */
  delete(connection: T): boolean {
    return this.#arrived(connection) || this.#silent.delete(this.#actorOf(connection), connection);
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

  #actorOf(connection: T): string {
    return this.#options.actorOf?.(connection) ?? '';
  }

  #arrived(connection: T): boolean {
    if (!this.#arriving.delete(connection)) return false;
    return this.#arrivingByActor.delete(this.#actorOf(connection), connection);
  }

  #awaitNext(): void {
    if (this.#deadline !== undefined) return;
    const [next] = this.#arriving.values();
    if (next === undefined) return;
    this.#deadline = startDeadline(Math.max(0, next - performance.now()), () => this.#countArrived());
  }

  #countArrived(): void {
    this.#deadline = undefined;
    const now = performance.now();
    for (const [connection, at] of this.#arriving) {
      if (at > now) break;
      this.#arrived(connection);
      this.#count(connection);
    }
    this.#awaitNext();
  }

  /** Counts a connection as silent; returns false when it was dropped. */
  #count(connection: T): boolean {
    this.#silent.add(this.#actorOf(connection), connection);
    let isHere = true;
    for (let over = this.#silent.size - this.limit; over > 0 && isHere; over -= 1) {
      const dropped = this.#inTheWayOf(connection);
      isHere = dropped !== connection;
      this.delete(dropped);
      this.#options.drop(dropped);
    }
    return isHere;
  }

  /** Another connection that may be dropped, of the actor with the most; the connection itself if there is none. */
  #inTheWayOf(connection: T): T {
    const { dropped = 'oldest' } = this.#options;
    const others: T[] = [];
    for (const other of this.#silent.of(this.#silent.largestHolder() ?? '')) {
      if (other === connection || this.#options.mayDrop?.(other) === false) continue;
      if (dropped === 'oldest') return other;
      others.push(other);
    }
    return others[Math.floor(Math.random() * others.length)] ?? connection;
  }
}
