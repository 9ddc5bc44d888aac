import type { EndpointIndex, Environment } from '../../platform/endpoint/endpoints.ts';
import type { Transport } from './transport.ts';

// Transport types for programs that embed the bridge; they do not expose the types of the operating system layer.

/** The local socket, with the data of a status display. */
export interface LocalSocket extends Transport {
  /** Indexes that other processes use, with the reason; known when the socket listens. */
  skipped(): readonly { readonly path: string; readonly why: string }[];
  /** Whether the path still references our socket. */
  owned(): boolean;
}

/** Location of the local socket. */
export interface LocalSocketOptions {
  /** Environment that determines the folder: pass `process.env`. Only the variables for the folder are read. */
  readonly env: Environment;
  /** Number N of `discord-ipc-N`; `auto`, the default, selects the first free number. Many apps try only 0. */
  readonly index?: 'auto' | EndpointIndex;
  /** Called when a peer is refused before a byte was read. */
  onRefused?(reason: string): void;
}

/** Pages that a loopback port admits, and its ports. */
export interface LoopbackPortOptions {
  /** Whether a page of this origin may act for an application. Called for every connection. */
  originAllowed(clientId: string | undefined, origin: string): boolean;
  /** Range of ports, by default 6463–6472; {0, 0} selects any free port. */
  readonly ports?: { readonly first: number; readonly last: number };
  /** Whether READY contains the user, which differs from the documentation. Default false. */
  readonly readyUser?: boolean;
  /** Called when a WebSocket is refused; the text contains at most 200 characters of the peer's input. */
  onRefused?(reason: string): void;
  /**
   * Called when no port is free, so that this transport serves nothing. An error thrown by the callback fails the
   * start.
   */
  onUnavailable?(reason: string): void;
}
