import { MAX_FRAME_BYTES } from '../wire/frame.ts';

/** Limits of the cost of one peer and of all peers together. The configuration can set each value. */
export interface Limits {
  /** Maximum frame body before the handshake, in bytes. */
  readonly handshakeFrameBytes: number;
  /** Maximum size of a frame body after the handshake, in bytes; not above the limit of the real client. */
  readonly frameBytes: number;
  /** Time limit from connect to a complete HANDSHAKE, in ms; a later peer gets CLOSE 1006. */
  readonly handshakeMs: number;
  /** Time limit of a core for opening a session, in ms; after it the peer gets CLOSE 1006. */
  readonly openMs: number;
  /** Time limit of a core for answering a request, in ms; after it the app gets ERROR 1001. */
  readonly answerMs: number;
  /** Time limit for a request that the user decides, in ms; after it the app gets ERROR 1001. */
  readonly personMs: number;
  /** Time limit from the first byte of a frame to its last, in ms; a slower peer gets CLOSE 1003. */
  readonly partialFrameMs: number;
  /** Maximum bytes of incomplete frames of all peers together; a peer above its process's share gets CLOSE 1006. */
  readonly partialBytes: number;
  /**
   * Maximum number of frames, and of their bytes, that are buffered while the core opens the session; beyond them the
   * socket is paused.
   */
  readonly heldFrames: number;
  readonly heldBytes: number;
  /**
   * Maximum bytes that wait for a peer behind the frame that it is reading, before it is dropped. A peer may therefore
   * leave this number of bytes unread, plus one frame of maximum size.
   */
  readonly unreadBytes: number;
  /** Maximum unread bytes of all peers together; a peer above its process's share is dropped. */
  readonly unreadTotalBytes: number;
  /**
   * Maximum bytes, of all peers together, of frames that wait until a peer has read earlier ones; a peer above its
   * process's share is dropped.
   */
  readonly waitingTotalBytes: number;
  /**
   * Time in which a peer has to read on when its process leaves more than `unreadBytes` unread, in ms; after it the
   * peer is dropped.
   */
  readonly unreadMs: number;
  /**
   * Number of frames that a process may send at once, and per second after that; beyond it the process's sockets are
   * paused. With 0 only the process's share of each turn is limited. When only one of the two limits is set, the other
   * is 240 (burst) or 120 (per second).
   */
  readonly messagesBurst: number;
  readonly messagesPerSecond: number;
  /**
   * Number of bytes that a process may send at once, and per second after that; beyond it the process's sockets are
   * paused. 0 means no limit.
   */
  readonly bytesPerSecond: number;
  /**
   * Maximum processing time of a process's requests, as a share of one core over ten seconds; beyond it the process's
   * sockets are paused. 1 means no limit, but every other process still gets its share of each turn.
   */
  readonly shareOfCore: number;
  /** A process that stays above its rate of frames or bytes for this long (ms) gets CLOSE 4002. */
  readonly floodMs: number;
  /**
   * Number of connects of one process at once, and per second after that; further connections wait to be served. With 0
   * per second there is no limit, and connects only share the processor with everything else.
   */
  readonly connectsBurst: number;
  readonly connectsPerSecond: number;
  /** Maximum number of connections, which processes share; a further connection gets CLOSE 1006. */
  readonly connections: number;
  /**
   * Maximum number of connections that have sent no handshake for 2 s. Of more, the oldest such connection of the
   * process with the most of them is dropped.
   */
  readonly silentConnections: number;
  /** Maximum number of subscriptions of one connection; a further one gets ERROR 4000. */
  readonly subscriptions: number;
  /** Maximum number of requests in flight on one connection; beyond it the connection's socket is paused. */
  readonly requestsInFlight: number;
  /** Time for which a draining server waits for requests in flight, in ms. */
  readonly drainMs: number;
}

/** Limits that apply when the configuration sets no others. */
export const defaultLimits: Limits = {
  handshakeFrameBytes: 16 * 1024,
  frameBytes: MAX_FRAME_BYTES,
  handshakeMs: 10_000,
  openMs: 10_000,
  answerMs: 9000,
  personMs: 600_000,
  partialFrameMs: 10_000,
  partialBytes: 16 * 1024 * 1024,
  heldFrames: 64,
  heldBytes: 64 * 1024,
  unreadBytes: 1024 * 1024,
  unreadTotalBytes: 16 * 1024 * 1024,
  waitingTotalBytes: 96 * 1024 * 1024,
  unreadMs: 10_000,
  messagesBurst: 0,
  messagesPerSecond: 0,
  bytesPerSecond: 0,
  shareOfCore: 1,
  floodMs: 60_000,
  connectsBurst: 2000,
  connectsPerSecond: 0,
  connections: 512,
  silentConnections: 64,
  subscriptions: 1024,
  requestsInFlight: 64,
  drainMs: 2000,
};
