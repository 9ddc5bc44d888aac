import type { CountedRefusal } from '../../journal/entry.ts';

/** A connected app, as the bridge tells of it. */
export interface SessionStatus {
  readonly id: string;
  readonly clientId: string | null;
  readonly transport: string;
  readonly state: string;
  readonly pid: number | null;
  readonly program?: string | null;
  readonly application?: string | null;
  readonly scopes: readonly string[];
  readonly subscriptions: number;
  readonly requestsInFlight: number;
}

/** How the bridge is; more may be in it. */
export interface Status {
  readonly version: string;
  readonly pid: number;
  readonly core: { readonly name: string; readonly api: string | null };
  readonly notInFrontOf: readonly { readonly path: string; readonly why: string }[];
  readonly endpoints: readonly { readonly kind: string; readonly path: string }[];
  readonly weaker: readonly string[];
  readonly sessions: readonly SessionStatus[];
  /** Newest first; a bridge of an earlier version has none. */
  readonly refused?: readonly CountedRefusal[];
}
