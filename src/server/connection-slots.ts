import { SilentConnections } from '../scheduling/silent-connections.ts';
import { SlotPool } from '../scheduling/slot-pool.ts';
import type { Session } from '../session/session.ts';
import type { Welcome } from '../transport/transport.ts';
import type { Connection } from '../wire/connection.ts';
import type { SlotEntrance } from './entrance.ts';

/**
 * Number of slots that every process may take while they are free, however many processes are connected: an app that
 * reconnects has two connections until the bridge notices the end of the first.
 */
const MIN_CONNECTIONS = 2;

/**
 * Time that an app has for its HANDSHAKE before its connection counts as silent (ms). An app that connects many times at
 * once has said nothing on most of these connections until their turn comes, on a busy machine for hundreds of
 * milliseconds.
 */
export const ARRIVAL_MS = 2000;

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
  readonly #silent: SilentConnections<ConnectionSlot>;

  constructor(options: ConnectionSlotsOptions) {
    const { limits } = options;
    this.#options = options;
    this.#pool = new SlotPool(limits.connections, MIN_CONNECTIONS);
    this.#silent = new SilentConnections({
      limit: limits.silentConnections,
      arrivalMs: ARRIVAL_MS,
      actorOf: ({ actor }) => actor,
      drop: (slot) => this.#dismiss(slot),
    });
  }

  set limits(limits: ConnectionSlotLimits) {
    this.#silent.limit = limits.silentConnections;
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

  /** Records that a connection is served and has not sent its HANDSHAKE yet. */
  served(slot: ConnectionSlot): void {
    this.#silent.add(slot);
  }

  /** Records that the connection has sent its HANDSHAKE. */
  identified(slot: ConnectionSlot): void {
    this.#silent.delete(slot);
  }

  /** The connection has ended. */
  leave(slot: ConnectionSlot): void {
    this.#silent.delete(slot);
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
        this.#silent.oldestOf(largestHolder) ??
        this.#pool.newest(largestHolder)
      );
    }
    if (this.#options.isWaiting(actor)) return undefined;
    const own = this.#silent.oldestOf(actor);
    if (own !== undefined || !this.#pool.isFull) return own;
    return this.#silent.oldest() ?? this.#options.lastWaiting();
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
