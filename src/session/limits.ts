/** Bounds on what one peer, and all peers together, may cost. Every value can be set in the configuration. */
export interface Limits {
  /** Largest frame body before the handshake, in bytes. */
  readonly handshakeFrameBytes: number;
  /** Largest frame body after the handshake, in bytes; up to 3 MiB, as the reference server allows. */
  readonly frameBytes: number;
  /** Time from connect to a complete HANDSHAKE, in ms; then CLOSE 1006. */
  readonly handshakeMs: number;
  /** Frames, and bytes of them, kept while the core is still opening the session; then the socket is paused. */
  readonly heldFrames: number;
  readonly heldBytes: number;
  /** Bytes a peer may leave unread before it is dropped. */
  readonly unreadBytes: number;
  /** Connections at a time; one more gets CLOSE 1006. */
  readonly connections: number;
  /** Connections that have not shaken hands; the oldest is dropped for a new one. */
  readonly silentConnections: number;
  /** Subscriptions of one connection; one more gets ERROR 4000. */
  readonly subscriptions: number;
  /** Requests of one connection in flight; beyond that its socket is paused. */
  readonly requestsInFlight: number;
  /** How long a draining server waits for requests in flight, in ms. */
  readonly drainMs: number;
}

/** The values used where the configuration says nothing. */
export const defaultLimits: Limits = {
  handshakeFrameBytes: 16 * 1024,
  frameBytes: 256 * 1024,
  handshakeMs: 10_000,
  heldFrames: 64,
  heldBytes: 64 * 1024,
  unreadBytes: 1024 * 1024,
  connections: 512,
  silentConnections: 64,
  subscriptions: 1024,
  requestsInFlight: 64,
  drainMs: 2000,
};
