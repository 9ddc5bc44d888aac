import type { JsonCodec, JsonObject } from './payload.ts';

/** Maximum of sent data that the server has not read (bytes); above it no further payload is queued. */
export const MAX_UNSENT_BYTES = 1_000_000;
/** Maximum size of a body from a server, in bytes; five times the reference server's own maximum. */
export const MAX_BODY_BYTES = 16 * 1024 * 1024;
/** Time that a server gets to close the connection after our close, before the connection is cut (ms). */
export const LINGER_MS = 1000;

/** Callbacks of a wire. The wire calls none of them after `end`. */
export interface WireListener {
  /** Parses the payloads. */
  readonly json: JsonCodec;
  /** Called for each payload. An exception of this callback is reported by `broken`. */
  payload(payload: JsonObject): void;
  /** Called when the server closes the connection; `reason` is the unparsed `{ code, message }`. */
  closed(reason: JsonObject): void;
  /** Called when the server broke the protocol; the error contains no data from the server. */
  broken(error: Error): void;
  /** Called when the connection has closed or never opened; possibly more than once. */
  lost(message: string): void;
}

/** Transport of one connection's payloads. The connection may still be opening, but its handshake is already sent. */
export interface Wire {
  /** Sends a payload; no effect after the end. */
  send(payload: string): void;
  /** Says that every frame of a read is parsed; absent where no frame waits for another. */
  readsStreams?(): void;
  /** Whether the server has left more than {@link MAX_UNSENT_BYTES} unread. */
  isOverloaded(): boolean;
  /** Closes, with a CLOSE frame if polite; cuts a server that does not close within {@link LINGER_MS}. */
  end(isPolite: boolean): void;
  /** Closes at once. */
  cut(): void;
  /** Resolves once the connection is closed. */
  readonly closed: Promise<unknown>;
}

/** Starts a wire with its callbacks. */
export type Dial = (listener: WireListener) => Wire;
