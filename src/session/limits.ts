import { MAX_FRAME_BYTES } from '../wire/frame.ts';

/** Limits that apply when the configuration sets no others. */
export const defaultLimits = {
  /** Maximum frame body before the handshake, in bytes. */
  handshakeFrameBytes: 16 * 1024,
  /** Maximum size of a frame body after the handshake, in bytes; not above the limit of the real client. */
  frameBytes: MAX_FRAME_BYTES,
  /** Time limit from connect to a complete HANDSHAKE, in ms; a later peer gets CLOSE 1006. */
  handshakeMs: 10_000,
  /** Time limit of a core for opening a session, in ms; after it the peer gets CLOSE 1006. */
  openMs: 10_000,
  /** Time limit of a core for answering a request, in ms; after it the app gets ERROR 1001. */
  answerMs: 9000,
  /** Time limit for a request that the user decides, in ms; after it the app gets ERROR 1001. */
  personMs: 600_000,
  /** Time limit from the first byte of a frame to its last, in ms; a slower peer gets CLOSE 1003. */
  partialFrameMs: 10_000,
  /** Maximum bytes of incomplete frames of all peers together; a peer above its process's share gets CLOSE 1006. */
  partialBytes: 16 * 1024 * 1024,
  /**
   * Maximum number of frames, and of their bytes, that are buffered while the core opens the session; beyond them the
   * socket is paused.
   */
  heldFrames: 64,
  heldBytes: 64 * 1024,
  /**
   * Maximum bytes that wait for a peer behind the frame that it is reading, before it is dropped. A peer may therefore
   * leave this number of bytes unread, plus one frame of maximum size.
   */
  unreadBytes: 1024 * 1024,
  /** Maximum unread bytes of all peers together; a peer above its process's share is dropped. */
  unreadTotalBytes: 16 * 1024 * 1024,
  /**
   * Maximum bytes, of all peers together, of frames that wait until a peer has read earlier ones; a peer above its
   * process's share is dropped.
   */
  waitingTotalBytes: 96 * 1024 * 1024,
  /**
   * Time in which a peer has to read on when its process leaves more than `unreadBytes` unread, in ms; after it the
   * peer is dropped.
   */
  unreadMs: 10_000,
  /**
   * Number of frames that a process may send at once, and per second after that; beyond it the process's sockets are
   * paused. With 0 only the process's share of each turn is limited. When only one of the two limits is set, the other
   * is 240 (burst) or 120 (per second).
   */
  messagesBurst: 0,
  messagesPerSecond: 0,
  /**
   * Number of bytes that a process may send at once, and per second after that; beyond it the process's sockets are
   * paused. 0 means no limit.
   */
  bytesPerSecond: 0,
  /**
   * Maximum processing time of a process's requests, as a share of one core over ten seconds; beyond it the process's
   * sockets are paused. 1 means no limit, but every other process still gets its share of each turn.
   */
  shareOfCore: 1,
  /** A process that stays above its rate of frames or bytes for this long (ms) gets CLOSE 4002. */
  floodMs: 60_000,
  /**
   * Number of connects of one process at once, and per second after that; further connections wait to be served. With 0
   * per second there is no limit, and connects only share the processor with everything else.
   */
  connectsBurst: 2000,
  connectsPerSecond: 0,
  /** Maximum number of connections, which processes share; a further connection gets CLOSE 1006. */
  connections: 512,
  /**
   * Maximum number of connections that have sent no handshake for 2 s. Of more, the oldest such connection of the
   * process with the most of them is dropped.
   */
  silentConnections: 64,
  /** Maximum number of subscriptions of one connection; a further one gets ERROR 4000. */
  subscriptions: 1024,
  /** Maximum number of requests in flight on one connection; beyond it the connection's socket is paused. */
  requestsInFlight: 64,
  /** Time for which a draining server waits for requests in flight, in ms. */
  drainMs: 2000,
} as const;

/** Limits of the cost of one peer and of all peers together. The configuration can set each value. */
export type Limits = { readonly [Name in keyof typeof defaultLimits]: number };
