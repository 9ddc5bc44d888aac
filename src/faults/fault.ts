/** Effect of a fault. */
export type FaultEffect =
  /** Delays everything by this many milliseconds and keeps the order. */
  | { readonly kind: 'delay'; readonly ms: number }
  /** The request arrives and is served, but its answer is never sent; over HTTP the connection is cut. */
  | { readonly kind: 'drop' }
  /**
   * The request is not served and gets this error: an RPC error code, or over HTTP a code of the platform's JSON
   * errors.
   */
  | { readonly kind: 'error'; readonly code: number }
  /** The connection is closed with this code instead of an answer. */
  | { readonly kind: 'close'; readonly code: number }
  /** Each outgoing frame is cut into several writes. */
  | { readonly kind: 'split' }
  /** All frames of one turn of the event loop leave in one write. */
  | { readonly kind: 'coalesce' }
  | { readonly kind: 'slow'; readonly bytesPerSecond: number }
  /** The request is not served and gets this status: 429 with the platform's body, or 500 to 599. */
  | { readonly kind: 'status'; readonly status: number }
  /** A gateway session receives RECONNECT (op 7). */
  | { readonly kind: 'reconnect' };

/** Traffic that a fault applies to. */
export type Where =
  /** RPC requests; only those of one command where it is named. */
  | { readonly on: 'rpc'; readonly command?: string }
  /**
   * Requests to the platform's HTTP API; only those of one route, such as `GET /users/@me`, with `{name}` or `*` for
   * one part.
   */
  | { readonly on: 'http'; readonly method?: string; readonly path?: string }
  /** Requests that the emulator posts to applications. */
  | { readonly on: 'webhook' }
  /** Payloads to gateway clients. */
  | { readonly on: 'gateway' };

/** A deliberate failure. */
export interface Fault {
  /** `f1`, `f2`, …: one bridge never reuses an id. */
  readonly id: string;
  readonly effect: FaultEffect;
  readonly where: Where;
  /** Limits the fault to one application. */
  readonly application?: string;
  /** Remaining matches; unlimited when absent. */
  readonly left?: number;
  /** From 0 to 1; default 1. */
  readonly probability: number;
  /** Seed of the random generator: the same seed matches the same requests. */
  readonly seed: number;
  /** Matches so far. */
  readonly struck: number;
}

/** Traffic that a fault may apply to. */
export type FaultSubject =
  | { readonly on: 'rpc'; readonly command: string; readonly application: string | undefined }
  | {
      readonly on: 'http';
      readonly method: string;
      readonly path: string;
      readonly application: string | undefined;
    }
  | { readonly on: 'webhook'; readonly application: string }
  | { readonly on: 'gateway'; readonly application: string | undefined };

/** A fault that applies now: its id for the journal, its effect, and a seed for random choices of this match. */
export interface FaultMatch {
  readonly fault: string;
  readonly effect: FaultEffect;
  readonly seed: number;
}
