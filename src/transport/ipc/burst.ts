/**
 * Number of frames that waited, without a rest of the peer, above which its further requests are read although their
 * answers wait: a peer that sends this many requests at a time also reads several answers at a time.
 */
const MAX_BURST = 256;
/** Number of waiting frames above which the frames of such a peer share a write. */
const SHARED_BY_A_BURST = 32;
/** Time without a waiting frame after which the peer counts as rested (ms). */
const REST_MS = 20;

/** Number of waiting frames that makes a queue deep: no client that parses a single frame per read lets so many wait. */
const DEEP = 8;
/** Number of waiting frames above which frames share a write after `MAX_BURST` frames of a deep queue. */
const SHARED_BY_A_DEEP_QUEUE = 2;
/** The same as `REST_MS`, for a peer with a deep queue: a busy bridge may take longer than that for its next request. */
const DEEP_REST_MS = 1000;

/** Frames of one peer that waited for earlier ones to be read, since its last rest. */
export class Burst {
  /** Number of frames that were written while others waited, and while a deep queue waited. */
  #frames = 0;
  #deepFrames = 0;

  /** A frame comes while none waits; `busyAt` is the time of the last write or of the last check that found unread bytes. */
  begin(busyAt: number): void {
    if (this.#frames === 0) return;
    const rested = performance.now() - busyAt;
    if (rested < (this.isDeep ? DEEP_REST_MS : REST_MS)) return;
    this.#frames = 0;
    this.#deepFrames = 0;
  }

  /** Counts written frames, behind which others wait. */
  add(frames: number, waiting: number): void {
    this.#frames += frames;
    if (waiting >= DEEP) this.#deepFrames += frames;
  }

  /** Whether the peer's requests are read although their answers wait. */
  get isFlood(): boolean {
    return this.#frames >= MAX_BURST;
  }

  get isDeep(): boolean {
    return this.#deepFrames >= MAX_BURST;
  }

  /** Whether so many waiting frames share a write. */
  shares(waiting: number): boolean {
    if (this.isDeep) return waiting > SHARED_BY_A_DEEP_QUEUE;
    return this.isFlood && waiting > SHARED_BY_A_BURST;
  }

  /** Whether the write is deferred, so that the answers to a chunk of requests leave together. */
  defers(waiting: number): boolean {
    return this.isDeep && waiting <= SHARED_BY_A_BURST;
  }
}
