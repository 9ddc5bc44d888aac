import type { EndpointIndex, Environment } from '../../platform/endpoint/endpoints.ts';
import type { Transport } from './transport.ts';

// Transport types for programs that embed the bridge, without the types of the operating systems behind them.

/** The local socket, with the data of a status display. */
export interface LocalSocket extends Transport {
  /** Indexes in use by other processes, with the reason; known once it listens. */
  skipped(): readonly { readonly path: string; readonly why: string }[];
  /** Whether the path still references our socket. */
  owned(): boolean;
}

/** Where the local socket is to be. */
export interface LocalSocketOptions {
  /** Determines the folder: pass `process.env`. Nothing else of it is read. */
  readonly env: Environment;
  /** Number N of `discord-ipc-N`; `auto`, the default, is the first free one. Many apps try 0 only. */
  readonly index?: 'auto' | EndpointIndex;
  /** A peer was refused before a byte was read. */
  onRefused?(reason: string): void;
}

/** Pages that a loopback port admits, and its ports. */
export interface LoopbackPortOptions {
  /** Whether a page of this origin may act for an application. Called for every connection. */
  originAllowed(clientId: string | undefined, origin: string): boolean;
  /** Default 6463–6472; {0, 0} takes any free port. */
  readonly ports?: { readonly first: number; readonly last: number };
  /** READY contains the user, contrary to the documentation. Default false. */
  readonly readyUser?: boolean;
  /** A WebSocket was refused; the text includes at most 200 characters of peer input. */
  onRefused?(reason: string): void;
  /** No port is free, so nothing is served. An error thrown here fails the start. */
  onUnavailable?(reason: string): void;
}
