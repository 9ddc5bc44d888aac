import type { EncodedFrame, Frame } from './frame.ts';

/** How a peer reached us. */
export type TransportKind = 'ipc' | 'websocket' | 'http' | 'postmessage' | 'memory';

/** The operating system's data on the process at the other end; a hint, never proof of identity. */
export interface PeerCredentials {
  readonly pid: number;
  readonly uid: number;
}

/** Callbacks and queries of a connection to its session. */
export interface ConnectionListener {
  /**
   * Called before each frame, with the number of its bytes that have come: whether it may be taken now. If not, the
   * connection has been paused, to be resumed later.
   */
  admits(bytes: number): boolean;
  /** A whole frame. Called again only after it returns; never after {@link Connection.pause}. */
  frame(frame: Frame): void;
  /** Number of bytes that have come of an incomplete frame; called after each read. */
  partial(bytes: number): void;
  /**
   * `held` bytes wait in our memory for the peer to read the previous ones. `unread` counts large frames that the
   * kernel has taken and the peer has not read as well, where the system reports them. Called when either changes.
   */
  backlog(held: number, unread?: number): void;
  /** How many requests wait for their answer. */
  readonly requestsInFlight: number;
  /** The peer has half-closed, but may still read: answers in flight can be sent before {@link Connection.end}. */
  halfClosed(): void;
  /** The bytes broke the protocol; the connection delivers nothing further. `error` is a CloseError. */
  broken(error: Error): void;
  /** The peer has disconnected; called exactly once, last of all. */
  ended(): void;
}

/**
 * One connected peer, over any transport. Frames leave whole, in order, one write each; the connection paces them so
 * that clients which read one frame per event lose none.
 */
export interface Connection {
  readonly kind: TransportKind;
  /** Origin header of a WebSocket or HTTP peer; the transport admits only origins that the user allowed. */
  readonly origin?: string;
  readonly peer?: PeerCredentials;
  /** Of an embedded app: id of the instance of its activity. */
  readonly instance?: string;
  /** Starts delivery. */
  start(listener: ConnectionListener): void;
  /**
   * Delivers to another listener from now on, the next frame of a read that is being delivered included. It must be
   * called after {@link Connection.start}, and does nothing once the peer has disconnected.
   */
  redirect(listener: ConnectionListener): void;
  send(frame: EncodedFrame): void;
  /** Sends a CLOSE frame (or WebSocket close), then ends; a peer that does not leave is destroyed. */
  close(code: number, message: string): void;
  /** Ends without a CLOSE frame, once the sent bytes have left. */
  end(): void;
  /** Stops delivery; bytes then wait in the peer's own socket buffer. */
  pause(): void;
  resume(): void;
  /** Raises the largest body accepted once the handshake is done. */
  setFrameLimit(bytes: number): void;
  /** Drops the peer at once. */
  destroy(): void;
}
