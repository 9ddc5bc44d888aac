import type { EncodedFrame, Frame } from './frame.ts';

/** How a peer reached us. */
export type TransportKind = 'ipc' | 'websocket' | 'http' | 'postmessage' | 'memory';

/** Data of the operating system about the process at the other end; a hint, not a proof of identity. */
export interface PeerCredentials {
  readonly pid: number;
  readonly uid: number;
}

/** Callbacks of a connection to its session, and queries to it. */
export interface ConnectionListener {
  /**
   * Asks before each frame whether it may be taken now; `bytes` of it have arrived. When the answer is false, the
   * session has paused the connection and resumes it later.
   */
  admits(bytes: number): boolean;
  /**
   * Delivers a whole frame. It is called again only after it has returned, and never after {@link Connection.pause}.
   */
  frame(frame: Frame): void;
  /** Reports after each read how many bytes of an incomplete frame have arrived. */
  partial(bytes: number): void;
  /**
   * Reports the backlog whenever it changes: `held` bytes wait in our memory until the peer has read earlier ones.
   * `unread` also counts large frames that the kernel has taken and the peer has not read, when the system reports
   * them.
   */
  backlog(held: number, unread?: number): void;
  /** Number of requests that wait for their answer. */
  readonly requestsInFlight: number;
  /** The peer has half-closed but may still read, so answers in flight can be sent before {@link Connection.end}. */
  halfClosed(): void;
  /** The peer's bytes violate the protocol, and the connection delivers nothing further. `error` is a CloseError. */
  broken(error: Error): void;
  /** The peer has disconnected. It is called exactly once, after all other callbacks. */
  ended(): void;
}

/**
 * One connected peer over any transport. Frames are sent whole, in order, and with one write each. The connection paces
 * them so that clients which read one frame per event lose none.
 */
export interface Connection {
  readonly kind: TransportKind;
  /** Origin header of a WebSocket or HTTP peer; the transport accepts only origins that the user has allowed. */
  readonly origin?: string;
  readonly peer?: PeerCredentials;
  /** For an embedded app, the id of its activity's instance. */
  readonly instance?: string;
  /** Present where the operator opened the connection by hand: called with each opcode that an observer has recorded. */
  readonly byHand?: ((opcode: number, entry: number) => void) | undefined;
  /** Starts delivery. */
  start(listener: ConnectionListener): void;
  /**
   * Replaces the listener, from the next frame on, even within a read that is being delivered. Call it after {@link
   * Connection.start}; it does nothing after the peer has disconnected.
   */
  redirect(listener: ConnectionListener): void;
  send(frame: EncodedFrame): void;
  /**
   * Sends a CLOSE frame (or a WebSocket close), then ends the connection. A peer that does not disconnect is dropped.
   */
  close(code: number, message: string): void;
  /** Ends the connection without a CLOSE frame, after the sent bytes have left. */
  end(): void;
  /** Stops delivery; further bytes then wait in the peer's socket buffer. */
  pause(): void;
  resume(): void;
  /** Whether a frame leaves only once the peer has read the one before; absent where frames never wait. */
  readonly isPaced?: boolean;
  /** Ends the pacing: the peer parses every frame of a read. */
  unpace?(): void;
  /** Raises the maximum size of a frame body after the handshake. */
  setFrameLimit(bytes: number): void;
  /** Drops the peer at once. */
  destroy(): void;
}
