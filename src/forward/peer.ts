/**
 * One end of a session: an app's socket, the socket of a bridge, or a session of a link. Two joined ends form the
 * session; each passes what it receives to its partner.
 */
export interface Peer {
  /** Sets the other end and starts the flow of bytes. Called once. */
  join(partner: Peer): void;
  /**
   * Sends bytes. Returns false when the partner has to stop sending until {@link resume} of the partner is called; these
   * bytes are sent nevertheless.
   */
  send(bytes: Uint8Array): boolean;
  /** Half-close: no further bytes follow. */
  end(): void;
  /**
   * Ends both directions. `reason` is a sentence for the app where the forward is the cause, and empty where the other
   * end just left.
   */
  abort(reason: string): void;
  /** Continues reading, after a `send` of the partner has returned false. */
  resume(): void;
}

/** Joins two ends to a session. */
export function joinPeers(one: Peer, other: Peer): void {
  one.join(other);
  other.join(one);
}
