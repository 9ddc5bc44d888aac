import type { PeerEntrance } from '../core/core.ts';
import type { Permission } from '../protocol/rights.ts';

/** Properties of a session that depend on its transport and endpoint. */
export interface SessionOptions {
  /** Key of the charged account (see `actorOf`). */
  readonly actor: string;
  /** Whether READY contains the user, true by default. */
  readonly readyUser?: boolean | undefined;
  /** Endpoint with rights of its own; absent for one with all rights. */
  readonly entrance?: SessionEntrance | undefined;
}

/** Endpoint through which the peer of a session has come, with its rights. */
export interface SessionEntrance extends PeerEntrance {
  /** Undefined for all rights. */
  readonly permission: Permission | undefined;
  /** Returns how the operator extends the rights, as a clause; `missing` as of `missingRight`. */
  readonly remedy: (missing: string) => string;
}
