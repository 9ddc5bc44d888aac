import { type Permission, permissionOf, type Rights } from '../protocol/rights.ts';
import { actorOf } from '../session/accounts.ts';
import type { Limits } from '../session/limits.ts';
import type { SessionEntrance } from '../session/session-options.ts';
import type { Connection } from '../wire/connection.ts';

/** Limits that an endpoint may have of its own; the pools of all peers together are the bridge's. */
export const ENTRANCE_LIMITS = [
  'frameBytes',
  'messagesBurst',
  'messagesPerSecond',
  'bytesPerSecond',
  'shareOfCore',
  'floodMs',
  'connectsBurst',
  'connectsPerSecond',
  'connections',
  'subscriptions',
  'requestsInFlight',
] as const satisfies readonly (keyof Limits)[];

/** Own limits of an endpoint; a missing one is the bridge's. */
export type EntranceLimits = Partial<Pick<Limits, (typeof ENTRANCE_LIMITS)[number]>>;

/** An endpoint besides the bridge's own, with its name, rights and limits. */
export interface Entrance {
  /** Name that operators read; see `rights` of the configuration. */
  readonly name: string;
  readonly rights: Rights;
  readonly limits?: EntranceLimits | undefined;
  /** Returns how the operator extends the rights, as a clause; `missing` as of `missingRight`. */
  readonly remedy: (missing: string) => string;
  /** Returns the sandbox of a process; without it every process counts as unverified. */
  sandboxOf?(pid: number): PeerSandbox;
}

/** Sandbox of a process, as in `PeerEntrance`: known, or still to be read, which takes processing time. */
export type PeerSandbox =
  | { readonly kind: 'known'; readonly sandbox: string | null }
  | { readonly kind: 'unread'; readonly read: () => string | null };

const UNVERIFIED: PeerSandbox = { kind: 'known', sandbox: 'unverified' };

/** Slots and limits of one {@link Entrance}. */
export class EntranceGate {
  readonly entrance: Entrance;
  readonly #permission: Permission | undefined;
  readonly #held = new Set<object>();
  /** Limits for the bridge's limits, of which each reload creates a new object. */
  #limits: { readonly of: Limits; readonly own: Limits } | undefined;

  constructor(entrance: Entrance) {
    this.entrance = entrance;
    this.#permission = permissionOf(entrance.rights);
  }

  sandboxOf({ peer }: Connection): PeerSandbox {
    if (peer === undefined || peer.pid === 0) return UNVERIFIED;
    return this.entrance.sandboxOf?.(peer.pid) ?? UNVERIFIED;
  }

  /** The endpoint as a session from this sandbox sees it. */
  seenFrom(sandbox: string | null): SessionEntrance {
    const { name, remedy } = this.entrance;
    return { name, sandbox, permission: this.#permission, remedy };
  }

  limitsWithin(limits: Limits): Limits {
    if (this.entrance.limits === undefined) return limits;
    if (this.#limits?.of !== limits)
      this.#limits = { of: limits, own: { ...limits, ...this.entrance.limits } };
    return this.#limits.own;
  }

  /** Takes a slot of the endpoint; returns false when none is left. */
  take(slot: object): boolean {
    if (this.#held.size >= (this.entrance.limits?.connections ?? Number.POSITIVE_INFINITY)) return false;
    this.#held.add(slot);
    return true;
  }

  leave(slot: object): void {
    this.#held.delete(slot);
  }
}

/** Endpoint with rights of its own, as a connection sees it. */
export interface SlotEntrance {
  readonly gate: EntranceGate;
  readonly session: SessionEntrance;
  /** Reads the sandbox of the process; undefined once it is known. */
  readonly readSandbox: (() => string | null) | undefined;
}

/**
 * Returns the account key of a connection at an endpoint. All processes of one sandbox share an account, because a
 * sandboxed program can start any number of processes. Those without a proof share one for the same reason, and so do
 * those whose sandbox is still to be read.
 */
export function entranceActor(
  { session: { name, sandbox }, readSandbox }: SlotEntrance,
  connection: Connection,
  id: string,
): string {
  if (readSandbox !== undefined) return arrivalsActor(name);
  return `endpoint ${name}: ${sandbox ?? actorOf(connection, id)}`;
}

/** Account key of the connections of an endpoint whose sandbox is still to be read. */
export function arrivalsActor(endpoint: string): string {
  return `endpoint ${endpoint}: arrivals`;
}
