import type { CoreSession } from '../core/core.ts';
import type { RpcError } from '../protocol/errors.ts';
import type { RejectedRequest, Request } from '../protocol/payload.ts';
import type { EventName } from '../protocol/registry.ts';
import type { Connection } from '../wire/connection.ts';
import type { CircuitBreaker } from './circuit-breaker.ts';
import type { Identity } from './identity.ts';
import type { Limits } from './limits.ts';
import type { SessionEntrance } from './session-options.ts';

/** Options of {@link Requests}. */
export interface RequestsOptions {
  readonly clientId: string;
  /** The session, whose connection may be replaced. */
  readonly peer: { readonly connection: Connection };
  readonly core: CoreSession;
  readonly identity: Identity;
  /** Endpoint whose rights every request needs; undefined for the bridge's own endpoint. */
  readonly entrance?: Pick<SessionEntrance, 'name' | 'permission' | 'remedy'> | undefined;
  /** Circuit breaker that all sessions of a core share; it limits the cost of a command that hangs. */
  readonly breaker: CircuitBreaker;
  readonly limits: Limits;
  /** Whether answers may still be sent. */
  isOpen(): boolean;
  /** Called when the number of requests changes that wait for the core or whose answers wait for the peer. */
  inFlight(count: number): void;
  /**
   * Called when the number of bytes changes that wait until the peer has read previous frames. Returns false when the
   * peer was dropped.
   */
  waiting(bytes: number): boolean;
  /** Sends a current value of an event. */
  replay(evt: EventName, data: unknown): void;
  /** Counts processing time (ms) of requests that was spent after {@link Requests.serve} had returned. */
  readonly worked: (ms: number, now: number) => void;
  /** A body is not valid UTF-8. */
  readonly garbled: () => void;
  /** Logs a failure, of which the peer receives few details. */
  report(cmd: string, error: unknown): void;
  /** Called when a request is answered with ERROR. */
  refused(request: Request | RejectedRequest, error: RpcError): void;
  close(error: Error): void;
}
