/** What a fault does. */
export type Does =
  /** Everything comes so many milliseconds later, in its order. */
  | { readonly kind: 'delay'; readonly ms: number }
  /** The request arrives, is served, and its answer never leaves; over HTTP the connection is cut. */
  | { readonly kind: 'drop' }
  /** The request is not served, and answered with this error: a code of RPC, or of the platform's JSON errors over HTTP. */
  | { readonly kind: 'error'; readonly code: number }
  /** The connection is closed with this code, in the place of an answer. */
  | { readonly kind: 'close'; readonly code: number }
  /** What leaves is cut into several writes. */
  | { readonly kind: 'split' }
  /** What leaves within one turn leaves in one write. */
  | { readonly kind: 'coalesce' }
  | { readonly kind: 'slow'; readonly bytesPerSecond: number }
  /** The request is not served, and answered with this status: 429 with the platform's body, or from 500 to 599. */
  | { readonly kind: 'status'; readonly status: number }
  /** A session of the gateway is told to come again (op 7). */
  | { readonly kind: 'reconnect' };

/** Where a fault strikes. */
export type Where =
  /** Requests of RPC; of one command, where it is named. */
  | { readonly on: 'rpc'; readonly command?: string }
  /** Requests to the platform's HTTP API; of one route, such as `GET /users/@me`, with `{name}` or `*` for one part. */
  | { readonly on: 'http'; readonly method?: string; readonly path?: string }
  /** What is posted to applications. */
  | { readonly on: 'webhook' }
  /** Payloads to clients of the gateway. */
  | { readonly on: 'gateway' };

/** Something that goes wrong on purpose. */
export interface Fault {
  /** `f1`, `f2`, …: never used twice by one bridge. */
  readonly id: string;
  readonly does: Does;
  readonly where: Where;
  /** Only for this application. */
  readonly application?: string;
  /** Strikes that are left; without it there is no end. */
  readonly left?: number;
  /** From 0 to 1; 1 unless told. */
  readonly probability: number;
  /** Of the generator that decides: the same seed strikes the same requests. */
  readonly seed: number;
  /** How often it has struck. */
  readonly struck: number;
}

/** Something that a fault may strike. */
export type Passing =
  | { readonly on: 'rpc'; readonly command: string; readonly application: string | undefined }
  | {
      readonly on: 'http';
      readonly method: string;
      readonly path: string;
      readonly application: string | undefined;
    }
  | { readonly on: 'webhook'; readonly application: string }
  | { readonly on: 'gateway'; readonly application: string | undefined };

/** A fault that strikes now: its id for the journal, what it does, and a seed for what chance decides of this strike. */
export interface Strike {
  readonly fault: string;
  readonly does: Does;
  readonly seed: number;
}
