import { ItemsByActor } from '../scheduling/items-by-actor.ts';
import { SlotPool } from '../scheduling/slot-pool.ts';
import type { Session } from '../session/session.ts';
import type { SessionEntrance } from '../session/session-options.ts';
import type { Welcome } from '../transport/transport.ts';
import type { Connection } from '../wire/connection.ts';
import type { EntranceGate } from './entrance.ts';

/**
 * Number of slots that every process may take while they are free, however many processes are connected: an app that
 * reconnects has two connections until the bridge notices the end of the first.
 */
const MIN_CONNECTIONS = 2;

/** A connection that has a slot. */
export interface ConnectionSlot {
  readonly id: string;
  /** Actor whose share contains this slot: a process or a web page's origin. */
  readonly actor: string;
  /** Id of the process; undefined when the system does not report it. */
  readonly pid: number | undefined;
  readonly connection: Connection;
  /** Properties of the connection that its transport reported. */
  readonly welcome: Welcome;
  /** Endpoint with rights of its own, and its slots; undefined for the bridge's own endpoint. */
  readonly entrance: SlotEntrance | undefined;
  /** Once it is served. */
  session: Session | undefined;
}

/** Endpoint with rights of its own, as a connection sees it. */
export interface SlotEntrance {
  readonly gate: EntranceGate;
  readonly session: SessionEntrance;
}

/** Number of slots. */
export interface ConnectionSlotLimits {
  readonly connections: number;
  readonly silentConnections: number;
}

/** Services that {@link ConnectionSlots} uses. */
export interface ConnectionSlotsOptions {
  readonly limits: ConnectionSlotLimits;
  /** Whether a connection of the actor waits to be served. */
  isWaiting(actor: string): boolean;
  /** Returns the newest connection that waits to be served: of the actor, or by default of all actors. */
  lastWaiting(actor?: string): ConnectionSlot | undefined;
  /** Ends a connection that has lost its slot. */
  dismiss(slot: ConnectionSlot): void;
}

/**
 * Slots of connected peers, which processes share. When all slots are in use, a process with more than its share loses
 * one.
 */
export class ConnectionSlots {
  readonly #options: ConnectionSlotsOptions;
  readonly #pool: SlotPool<ConnectionSlot>;
  /** Served connections that have not sent their HANDSHAKE. */
  readonly #silent = new ItemsByActor<ConnectionSlot>();
  #limits: ConnectionSlotLimits;

  constructor(options: ConnectionSlotsOptions) {
    this.#options = options;
    this.#limits = options.limits;
    this.#pool = new SlotPool(options.limits.connections, MIN_CONNECTIONS);
  }

  set limits(limits: ConnectionSlotLimits) {
    this.#limits = limits;
    this.#pool.resize(limits.connections);
  }

  /**
   * Takes a slot. When necessary, evicts a connection without a HANDSHAKE, or a connection of a process with more than
   * its share. Returns false when no slot can be freed.
   */
  take(slot: ConnectionSlot): boolean {
    if (slot.entrance?.gate.take(slot) === false) return false;
    const isTaken = this.#pool.enter(slot.actor, slot, (largestHolder) => {
      const inTheWay = this.#inTheWayOf(slot.actor, largestHolder);
      if (inTheWay !== undefined) this.#dismiss(inTheWay);
      return inTheWay !== undefined;
    });
    if (!isTaken) slot.entrance?.gate.leave(slot);
    return isTaken;
  }

  /**
   * Records that a connection is served and has not sent its HANDSHAKE yet. At the limit of such connections, the
   * oldest one of the actor with the most of them is dropped, so that a storm of silent connections replaces its own
   * connections.
   */
  served(slot: ConnectionSlot): void {
    if (this.#silent.size >= this.#limits.silentConnections) {
      const oldest = this.#oldestSilent(this.#silent.largestHolder());
      if (oldest) this.#dismiss(oldest);
    }
    this.#silent.add(slot.actor, slot);
  }

  /** Records that the connection has sent its HANDSHAKE. */
  identified(slot: ConnectionSlot): void {
    this.#silent.delete(slot.actor, slot);
  }

  /** The connection has ended. */
  leave(slot: ConnectionSlot): void {
    this.#silent.delete(slot.actor, slot);
    slot.entrance?.gate.leave(slot);
    this.#pool.leave(slot.actor, slot);
  }

  /**
   * Returns the connection to evict. An actor with more than its share loses, in this order: its newest waiting
   * connection, its oldest connection without a HANDSHAKE, its newest connection. An actor at its share loses its own
   * oldest connection without a HANDSHAKE, unless some of its connections still wait to be served.
   */
  #inTheWayOf(actor: string, largestHolder: string | undefined): ConnectionSlot | undefined {
    if (largestHolder !== undefined) {
      return (
        this.#options.lastWaiting(largestHolder) ??
        this.#oldestSilent(largestHolder) ??
        this.#pool.newest(largestHolder)
      );
    }
    if (this.#options.isWaiting(actor)) return undefined;
    const own = this.#oldestSilent(actor);
    if (own !== undefined || !this.#pool.isFull) return own;
    return this.#oldestSilent(this.#silent.largestHolder()) ?? this.#options.lastWaiting();
  }

  #oldestSilent(actor: string | undefined): ConnectionSlot | undefined {
    if (actor === undefined) return undefined;
    const [oldest] = this.#silent.of(actor);
    return oldest;
  }

  /**
   * Removes the connection from its slot at once: its end event comes later, and until then a burst of connections must
   * not select the same connection again.
   */
  #dismiss(slot: ConnectionSlot): void {
    this.leave(slot);
    this.#options.dismiss(slot);
  }
}
