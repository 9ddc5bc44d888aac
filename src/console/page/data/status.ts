import type { CountedRefusal } from '../../../journal/entry.ts';

/** Connected app in the bridge's status. */
export interface SessionStatus {
  readonly id: string;
  readonly clientId: string | null;
  readonly transport: string;
  /** Endpoint with rights of its own, and the sandbox of the app; null at the bridge's own endpoint. */
  readonly endpoint: string | null;
  readonly sandbox: string | null;
  readonly state: string;
  readonly pid: number | null;
  readonly program?: string | null;
  readonly application?: string | null;
  readonly scopes: readonly string[];
  readonly subscriptions: number;
  readonly requestsInFlight: number;
}

/** The part of the bridge's status that the page uses. */
export interface Status {
  readonly version: string;
  readonly pid: number;
  readonly core: { readonly name: string; readonly api: string | null };
  readonly notInFrontOf: readonly { readonly path: string; readonly why: string }[];
  readonly endpoints: readonly { readonly kind: string; readonly path: string }[];
  /** State files that could not be written; absent in the status of an older bridge. */
  readonly unstored?: readonly string[];
  /** Files and folders of the bridge; absent in the status of an older bridge. */
  readonly places?: {
    readonly config: string | null;
    readonly data: string | null;
    readonly log: string | null;
  };
  readonly weaker: readonly string[];
  readonly sessions: readonly SessionStatus[];
  /** Refused web pages, newest first; absent in the status of an older bridge. */
  readonly refused?: readonly CountedRefusal[];
}
