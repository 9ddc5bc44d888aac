import type { ClientCore, LogFields } from '../core/core.ts';
import type { Faults } from '../faults/faults.ts';
import type { Journal } from '../journal/journal.ts';
import type { Limits } from '../session/limits.ts';
import type { Transport } from '../transport/transport.ts';

/** Receiver of the server's log lines; a pino logger fits this interface. */
export interface Logger {
  debug(fields: LogFields, message: string): void;
  info(fields: LogFields, message: string): void;
  warn(fields: LogFields, message: string): void;
  error(fields: LogFields, message: string): void;
}

/** Discards every line. */
export const silentLogger: Logger = {
  debug() {},
  info() {},
  warn() {},
  error() {},
};

export interface ServerOptions {
  readonly transports: readonly Transport[];
  readonly core: ClientCore;
  /** Limits that override {@link defaultLimits}. */
  readonly limits?: Partial<Limits>;
  readonly logger?: Logger;
  /** Called with the body of each PING of a peer. */
  readonly onPing?: (body: Uint8Array) => void;
  /** Journal of the traffic; no journal by default. */
  readonly journal?: Journal | undefined;
  /** Injected faults; no faults by default. */
  readonly faults?: Faults | undefined;
}

/** One session, for status displays. */
export interface SessionSummary {
  readonly id: string;
  readonly clientId: string | null;
  readonly transport: string;
  readonly state: 'handshaking' | 'identifying' | 'ready' | 'closing' | 'closed';
  readonly pid: number | null;
  readonly scopes: readonly string[];
  readonly subscriptions: number;
  readonly requestsInFlight: number;
  /** Name of the endpoint through which the app has come; null for the bridge's own. */
  readonly endpoint: string | null;
  /**
   * Proven sandbox of the app at such an endpoint; `unverified` without a proof, null for a process
   * outside of a sandbox and at the bridge's own endpoint.
   */
  readonly sandbox: string | null;
}
