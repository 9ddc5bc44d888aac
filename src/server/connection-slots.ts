import { ItemsByActor } from '../scheduling/items-by-actor.ts';
import { SlotPool } from '../scheduling/slot-pool.ts';
import type { Session } from '../session/session.ts';
import type { Welcome } from '../transport/transport.ts';
import type { Connection } from '../wire/connection.ts';

/** A connection that has a slot. */
export interface ConnectionSlot {
  readonly id: string;
  /** Actor that the slot is charged to. */
  readonly actor: string;
  /** The process, where the system names one. */
  readonly pid: number | undefined;
  readonly connection: Connection;
  /** Its properties, as its transport reported them. */
  readonly welcome: Welcome;
  /** Once it is served. */
  session: Session | undefined;
}

/** Number of slots. */
export interface ConnectionSlotLimits {
  readonly connections: number;
  readonly silentConnections: number;
}

/** Services that {@link ConnectionSlots} uses. */
export interface ConnectionSlotsOptions {
  readonly limits: ConnectionSlotLimits;
  /** Whether any of the actor waits to be served. */
  isWaiting(actor: string): boolean;
  /** Newest connection that waits to be served, of the actor or of all. */
  lastWaiting(actor?: string): ConnectionSlot | undefined;
  /** Ends a connection that has lost its slot. */
  dismiss(slot: ConnectionSlot): void;
}

/** Connected peers. Processes share the slots, and when all are taken, one with more than its share makes room. */
export class ConnectionSlots {
  readonly #options: ConnectionSlotsOptions;
  readonly #places: SlotPool<ConnectionSlot>;
  /** Served connections without a handshake. */
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

  /**
   * Takes a slot, if need be from a connection that is still silent or whose process has more than its share. False
   * when there is none.
   */
  take(slot: ConnectionSlot): boolean {
    return this.#places.enter(slot.actor, slot, (largestHolder) => {
      const inTheWay = this.#inTheWayOf(slot.actor, largestHolder);
      if (inTheWay !== undefined) this.#dismiss(inTheWay);
      return inTheWay !== undefined;
    });
  }

  /**
   * The connection is served, and has yet to shake hands. Beyond the limit the oldest such connection of the actor with
   * the highest number of them is dropped, so that a storm of silence replaces itself.
   */
  served(slot: ConnectionSlot): void {
    if (this.#silent.size >= this.#limits.silentConnections) {
      const oldest = this.#oldestSilent(this.#silent.largestHolder());
      if (oldest) this.#dismiss(oldest);
    }
    this.#silent.add(slot.actor, slot);
  }

  /** The connection has shaken hands. */
  identified(slot: ConnectionSlot): void {
    this.#silent.delete(slot.actor, slot);
  }

  /** The connection has ended. */
  leave(slot: ConnectionSlot): void {
    this.#silent.delete(slot.actor, slot);
    this.#places.leave(slot.actor, slot);
  }

  /**
   * Connection to evict among those with slots: of an actor with more than its share, those first that are least
   * advanced. A process that has its share makes room for itself, unless some of its connections still wait to be
   * served.
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

  /** Its end event comes later; a burst of connections must not find the same one again until then. */
  #dismiss(slot: ConnectionSlot): void {
    this.leave(slot);
    this.#options.dismiss(slot);
  }
}
