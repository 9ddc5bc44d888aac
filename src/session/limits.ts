import { MAX_FRAME_BYTES } from '../wire/frame.ts';

/** Bounds on the cost of one peer, and of all peers together. Every value can be set in the configuration. */
export interface Limits {
  /** Largest frame body before the handshake, in bytes. */
  readonly handshakeFrameBytes: number;
  /** Largest frame body after the handshake, in bytes; at most the limit of the real client. */
  readonly frameBytes: number;
  /** Time from connect to a complete HANDSHAKE, in ms; then CLOSE 1006. */
  readonly handshakeMs: number;
  /** Time a core has to open a session, in ms; then CLOSE 1006. */
  readonly openMs: number;
  /** Time a core has to answer a request, in ms; then ERROR 1001. */
  readonly answerMs: number;
  /** The same for a request that the user decides, in ms. */
  readonly personMs: number;
  /** Time from the first byte of a frame to its last, in ms; then CLOSE 1003. */
  readonly partialFrameMs: number;
  /** Bytes of frames that are not complete, of all peers together; one above its share gets CLOSE 1006. */
  readonly partialBytes: number;
  /** Frames, and bytes of them, buffered while the core is still opening the session; then the socket is paused. */
  readonly heldFrames: number;
  readonly heldBytes: number;
  /** Bytes a peer may leave unread, with one more frame of the largest size, behind the frame it is reading before it is dropped. */
  readonly unreadBytes: number;
  /** The same of all peers together; a peer above its share is dropped. */
  readonly unreadTotalBytes: number;
  /**
   * Bytes of frames that wait until a peer has read the unread ones, of all peers together; a peer above its share
   * is dropped.
   */
  readonly waitingTotalBytes: number;
  /** Time a peer whose process leaves more than `unreadBytes` unread has to read on, in ms; then it is dropped. */
  readonly unreadMs: number;
  /**
   * Frames a process may send at once, and each second after that; then its sockets are paused. 0: limited by its share
   * of the time only; where just one of the two is set, the other is 240, or 120.
   */
  readonly messagesBurst: number;
  readonly messagesPerSecond: number;
  /** Bytes a process may send at once and each second after that; then its sockets are paused. 0: no limit. */
  readonly bytesPerSecond: number;
  /**
   * Processing time of a process's requests, as a share of one core over ten seconds; then its sockets are paused. 1:
   * no bound, while it leaves every other process its turn.
   */
  readonly shareOfCore: number;
  /** A process that stays above its rate of frames or bytes for this long (ms) gets CLOSE 4002. */
  readonly floodMs: number;
  /** Connects of one process at once, and each second after that; then they wait to be served. */
  readonly connectsBurst: number;
  readonly connectsPerSecond: number;
  /** Maximum number of connections, shared by process; a further one gets CLOSE 1006. */
  readonly connections: number;
  /**
   * Connections without a handshake; the oldest of the process with the highest number of them is dropped for a new
   * one.
   */
  readonly silentConnections: number;
  /** Maximum number of subscriptions of one connection; a further one gets ERROR 4000. */
  readonly subscriptions: number;
  /** Requests of one connection in flight; beyond that its socket is paused. */
  readonly requestsInFlight: number;
  /** How long a draining server waits for requests in flight, in ms. */
  readonly drainMs: number;
}

/** Default limits, where the configuration sets none. */
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
  connectsPerSecond: 500,
  connections: 512,
  silentConnections: 64,
  subscriptions: 1024,
  requestsInFlight: 64,
  drainMs: 2000,
};
