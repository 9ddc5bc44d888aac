import type { JsonCodec, JsonObject } from './payload.ts';

/** More than this unread by the server, and nothing further is queued (bytes). */
export const MAX_UNSENT_BYTES = 1_000_000;
/** Largest body accepted from a server, in bytes; five times what the reference server sends at most. */
export const MAX_BODY_BYTES = 16 * 1024 * 1024;
/** How long a server may take to hang up after we did, before the connection is cut (ms). */
export const LINGER_MS = 1000;

/** Whom a wire tells. Once `end` was called it tells nothing more. */
export interface WireListener {
  /** Reads the payloads. */
  readonly json: JsonCodec;
  /** A payload came. What it throws is told by `broken`. */
  payload(payload: JsonObject): void;
  /** The server closes the connection: `{ code, message }`, as it came. */
  closed(reason: JsonObject): void;
  /** The server broke the protocol; how is said without a word of what it sent. */
  broken(error: Error): void;
  /** The connection is gone, or never came to be. May be told more than once. */
  gone(message: string): void;
}

/** What carries the payloads of one connection, which may still be connecting. The handshake is on its way. */
export interface Wire {
  /** Sends a payload; nothing where the connection has ended. */
  send(payload: string): void;
  /** Whether the server leaves more than {@link MAX_UNSENT_BYTES} unread. */
  isOverloaded(): boolean;
  /** Hangs up, with a goodbye where it is polite; a server that does not follow is cut off after {@link LINGER_MS}. */
  end(isPolite: boolean): void;
  /** Is gone at once. */
  cut(): void;
  /** Resolves once the connection is closed. */
  readonly gone: Promise<unknown>;
}

/** Begins a wire, for whom it is to tell. */
export type Dial = (listener: WireListener) => Wire;
