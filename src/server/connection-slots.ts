import { ItemsByActor } from '../scheduling/items-by-actor.ts';
import { SlotPool } from '../scheduling/slot-pool.ts';
import type { Session } from '../session/session.ts';
import type { Welcome } from '../transport/transport.ts';
import type { Connection } from '../wire/connection.ts';

/** A connection that has a place. */
export interface ConnectionSlot {
  readonly id: string;
  /** Whom the place is charged to. */
  readonly actor: string;
  /** The process, where the system names one. */
  readonly pid: number | undefined;
  readonly connection: Connection;
  /** What its transport said of it. */
  readonly welcome: Welcome;
  /** Once it is served. */
  session: Session | undefined;
}

/** How many places there are. */
export interface ConnectionSlotLimits {
  readonly connections: number;
  readonly silentConnections: number;
}

/** What {@link ConnectionSlots} asks of those who know more. */
export interface ConnectionSlotsOptions {
  readonly limits: ConnectionSlotLimits;
  /** Whether any of the actor waits to be served. */
  isWaiting(actor: string): boolean;
  /** Of those of the actor, or of all, that wait to be served: the one that came last. */
  lastWaiting(actor?: string): ConnectionSlot | undefined;
  /** Takes the place away from somebody: it is not theirs any more. */
  dismiss(slot: ConnectionSlot): void;
}

/** Who is connected. Places are shared by process, and when all are taken, whoever has more than its share makes room. */
export class ConnectionSlots {
  readonly #options: ConnectionSlotsOptions;
  readonly #places: SlotPool<ConnectionSlot>;
  /** Those that are served and have not shaken hands. */
  readonly #silent = new ItemsByActor<ConnectionSlot>();
  #limits: ConnectionSlotLimits;

  constructor(options: ConnectionSlotsOptions) {
    this.#options = options;
    this.#limits = options.limits;
    this.#places = new SlotPool(options.limits.connections);
  }

  set limits(limits: ConnectionSlotLimits) {
    this.#limits = limits;
    this.#places.resize(limits.connections);
  }

  /** Takes a place, if need be from somebody who has said nothing yet or has more than its share. False when there is none. */
  take(slot: ConnectionSlot): boolean {
    return this.#places.enter(slot.actor, slot, (largestHolder) => {
      const inTheWay = this.#inTheWayOf(slot.actor, largestHolder);
      if (inTheWay !== undefined) this.#dismiss(inTheWay);
      return inTheWay !== undefined;
    });
  }

  /**
   * The connection is served, and has yet to shake hands. Past the limit the oldest such connection of whoever has most of
   * them goes, so that a storm of silence is its own successor.
   */
  served(slot: ConnectionSlot): void {
    if (this.#silent.size >= this.#limits.silentConnections) {
      const oldest = this.#oldestSilent(this.#silent.largestHolder());
      if (oldest) this.#dismiss(oldest);
    }
    this.#silent.add(slot.actor, slot);
  }

  /** It has shaken hands. */
  identified(slot: ConnectionSlot): void {
    this.#silent.delete(slot.actor, slot);
  }

  /** It has left. */
  leave(slot: ConnectionSlot): void {
    this.#silent.delete(slot.actor, slot);
    this.#places.leave(slot.actor, slot);
  }

  /**
   * Of those who have the places: whoever has more than its share, those first that have not come far. A process that has
   * its share makes room for itself, unless some of it still wait to be served.
   */
  #inTheWayOf(actor: string, largestHolder: string | undefined): ConnectionSlot | undefined {
    if (largestHolder !== undefined) {
      return (
        this.#options.lastWaiting(largestHolder) ??
        this.#oldestSilent(largestHolder) ??
        this.#places.newest(largestHolder)
      );
    }
    if (this.#options.isWaiting(actor)) return undefined;
    const own = this.#oldestSilent(actor);
    if (own !== undefined || !this.#places.isFull) return own;
    return this.#oldestSilent(this.#silent.largestHolder()) ?? this.#options.lastWaiting();
  }

  #oldestSilent(actor: string | undefined): ConnectionSlot | undefined {
    if (actor === undefined) return undefined;
    const [oldest] = this.#silent.of(actor);
    return oldest;
  }

  /** We hear of its end later; a burst of connections must not find the same one again until then. */
  #dismiss(slot: ConnectionSlot): void {
    this.leave(slot);
    this.#options.dismiss(slot);
  }
}
