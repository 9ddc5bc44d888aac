/** Effect of a fault. */
export type FaultEffect =
  /** All traffic is delayed by `ms` milliseconds and stays in order. */
  | { readonly kind: 'delay'; readonly ms: number }
  /** The request arrives and is served, but its answer is never sent. Over HTTP, the connection is terminated. */
  | { readonly kind: 'drop' }
  /**
   * The request is not served. Its answer is this error: an RPC error code, or over HTTP a code of the platform's JSON
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
  /** The request is not served. Its answer has this status: 429 with the platform's body, or 500 to 599. */
  | { readonly kind: 'status'; readonly status: number }
  /** A gateway session receives RECONNECT (op 7). */
  | { readonly kind: 'reconnect' };

/** Traffic that a fault applies to. */
export type Where =
  /** RPC requests; `command` limits the fault to one command. */
  | { readonly on: 'rpc'; readonly command?: string }
  /**
   * Requests to the platform's HTTP API. `method` and `path` limit the fault to one route, such as `GET /users/@me`;
   * `{name}` or `*` matches any one segment.
   */
  | { readonly on: 'http'; readonly method?: string; readonly path?: string }
  /** Requests that the emulator sends to applications. */
  | { readonly on: 'webhook' }
  /** Payloads to gateway clients. */
  | { readonly on: 'gateway' };

/** A deliberate failure. */
export interface Fault {
  /** Id such as `f1` or `f2`; a running daemon never reuses an id. */
  readonly id: string;
  readonly effect: FaultEffect;
  readonly where: Where;
  /** Limits the fault to one application. */
  readonly application?: string;
  /** Number of matches after which the fault ends; unlimited when absent. */
  readonly left?: number;
  /** From 0 to 1; default 1. */
  readonly probability: number;
  /** Seed of the random generator. With the same seed, the fault matches the same requests. */
  readonly seed: number;
  /** Matches so far. */
  readonly struck: number;
}

/** A piece of traffic that is checked for matching faults. */
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

/**
 * A fault that applies to a piece of traffic: its id for the journal, its effect, and a seed for the random choices of
 * this match.
 */
export interface FaultMatch {
  readonly fault: string;
  readonly effect: FaultEffect;
  readonly seed: number;
}
