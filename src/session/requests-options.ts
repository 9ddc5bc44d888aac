import type { CoreSession } from '../core/core.ts';
import type { RpcError } from '../protocol/errors.ts';
import type { RejectedRequest, Request } from '../protocol/payload.ts';
import type { EventName } from '../protocol/registry.ts';
import type { Connection } from '../wire/connection.ts';
import type { CircuitBreaker } from './circuit-breaker.ts';
import type { Identity } from './identity.ts';
import type { Limits } from './limits.ts';

/** Options of {@link Requests}. */
export interface RequestsOptions {
  readonly clientId: string;
  /** The session, whose connection may be replaced. */
  readonly peer: { readonly connection: Connection };
  readonly core: CoreSession;
  readonly identity: Identity;
  /** Shared by all sessions of a core: bounds the cost of a command that hangs. */
  readonly breaker: CircuitBreaker;
  readonly limits: Limits;
  /** Whether answers may still be sent. */
  isOpen(): boolean;
  /** Number of requests that wait for the core, or whose answers wait for the peer to read; called when it changes. */
  inFlight(count: number): void;
  /**
   * `bytes` of frames wait for the peer to read the previous ones; called when it changes. False: the peer was
   * dropped.
   */
  waiting(bytes: number): boolean;
  /** Sends a current value of an event. */
  replay(evt: EventName, data: unknown): void;
  /** Counts time (ms) that went into requests besides the time in which {@link Requests.serve} returned. */
  readonly worked: (ms: number, now: number) => void;
  /** A body is not valid UTF-8. */
  readonly garbled: () => void;
  /** Logs a failure; the peer gets few details of it. */
  report(cmd: string, error: unknown): void;
  /** A request is answered with ERROR. */
  refused(request: Request | RejectedRequest, error: RpcError): void;
  close(error: Error): void;
}
