import type { Duplex } from 'node:stream';
import type { CloseError } from '../../wire/close-error.ts';
import type { Ready } from '../core.ts';

/** Connection to the upstream, and the callbacks of a relay. */
export interface RelayOptions {
  readonly clientId: string;
  /** Connects to the upstream; rejects while no upstream is available. */
  readonly connect: (signal: AbortSignal) => Promise<Duplex>;
  /** Sends an event to the app. */
  event(evt: string, data: unknown): void;
  /** Called when the upstream has sent text that is not valid UTF-8. */
  garbled?(): void;
  /** AUTHENTICATE has succeeded. */
  authenticated(scopes: readonly string[]): void;
  /** Called when the upstream has closed this app's session permanently. */
  refused(error: CloseError): void;
  /** Timeout for a repeated AUTHENTICATE after a restart (ms). */
  readonly restoreMs?: number | undefined;
  /** Several clients; without it every connection leads to the same one. */
  readonly route?: RelayRoute;
}

/** Clients to which the connections of a relay lead. */
export interface RelayRoute {
  /** Whether the last connection has led to another client than the one that serves the session. */
  isOther(): boolean;
  /** The client of the last connection serves the session from now on. */
  taken(ready: Ready): void;
  /** The client of the last connection is another one, and does not accept the app's token. */
  unfit(): void;
  /** Whether the client that serves the session may show the app's activity. */
  mayShow(): boolean;
  /** The session's state has been restored after an interruption. */
  restored(): void;
}

/** Outcome of a change to another client. `refused`: it does not accept the app's token, and the session ends. */
export type Move = 'moved' | 'refused' | 'failed';
