import type { CoreSession } from '../core/core.ts';
import type { RpcError } from '../protocol/errors.ts';
import type { RejectedRequest, Request } from '../protocol/payload.ts';
import type { EventName } from '../protocol/registry.ts';
import type { Connection } from '../wire/connection.ts';
import type { CircuitBreaker } from './circuit-breaker.ts';
import type { Identity } from './identity.ts';
import type { Limits } from './limits.ts';

/** What {@link Requests} works with. */
export interface RequestsOptions {
  readonly clientId: string;
  /** The session, whose connection may be replaced. */
  readonly peer: { readonly connection: Connection };
  readonly core: CoreSession;
  readonly identity: Identity;
  /** Shared by all sessions of a core: bounds what one that hangs costs. */
  readonly breaker: CircuitBreaker;
  readonly limits: Limits;
  /** Whether answers may still be sent. */
  isOpen(): boolean;
  /** How many requests wait for the core, or their answers for the peer to read; told when it changes. */
  inFlight(count: number): void;
  /** So many bytes of frames wait for the peer to read what was sent before; told when it changes. False: it was dropped. */
  waiting(bytes: number): boolean;
  /** Sends a current value of an event. */
  replay(evt: EventName, data: unknown): void;
  /** Counts time (ms) that went into requests besides the time in which {@link Requests.serve} returned. */
  readonly worked: (ms: number, now: number) => void;
  /** A body is not valid UTF-8. */
  readonly garbled: () => void;
  /** A failure that the peer is told little about. */
  report(cmd: string, error: unknown): void;
  /** A request is answered with ERROR. */
  refused(request: Request | RejectedRequest, error: RpcError): void;
  close(error: Error): void;
}
