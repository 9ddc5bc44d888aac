import type { EndpointIndex, Environment } from '../../platform/endpoint/endpoints.ts';
import type { Transport } from './transport.ts';

// What a program that embeds the bridge sees of the transports: types alone, without those of the systems behind them.

/** The local socket, with what a status display wants to know. */
export interface LocalSocket extends Transport {
  /** Indexes that others hold, and why; known once it listens. */
  skipped(): readonly { readonly path: string; readonly why: string }[];
  /** Whether the path still leads to our socket. */
  owned(): boolean;
}

/** Where the local socket is to be. */
export interface LocalSocketOptions {
  /** Decides the folder: give it `process.env`. Nothing else of it is read. */
  readonly env: Environment;
  /** Number N of `discord-ipc-N`; `auto`, the default, is the first that nobody serves. Most apps only look at 0. */
  readonly index?: 'auto' | EndpointIndex;
  /** Somebody was turned away before a byte was read. */
  onRefused?(reason: string): void;
}

/** Which pages a loopback port lets in, and where it listens. */
export interface LoopbackPortOptions {
  /** Whether a page of this origin may speak for an application. Asked for every connection. */
  originAllowed(clientId: string | undefined, origin: string): boolean;
  /** Default 6463–6472; {0, 0} takes any free port. */
  readonly ports?: { readonly first: number; readonly last: number };
  /** READY says who the user is, against the documentation. Default false. */
  readonly readyUser?: boolean;
  /** A WebSocket was turned away; the text holds at most 200 characters of what it sent. */
  onRefused?(reason: string): void;
  /** There is no port to be had; nothing is served then. What it throws fails the start. */
  onUnavailable?(reason: string): void;
}
