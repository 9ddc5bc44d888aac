/** From this many waiting bytes on, answers superseded by a newer one are dropped; other answers do not count. */
const MAX_WAITING_BYTES = 256 * 1024;

/**
 * Waiting answers that a newer one supersedes for a peer that does not read: several apps set their activity for hours
 * and never read an answer. A peer that reads, however slowly, stays below the bound and gets every answer.
 */
export class NewestOnly {
  /** Created with the first such frame: few connections ever have one that waits. */
  #frames: WeakSet<Uint8Array> | undefined;
  /** Upper bound of their bytes: the last count plus the frames sent since. */
  #mostBytes = 0;

  /** `frame` as it waits. */
  add(frame: Uint8Array): void {
    this.#frames ??= new WeakSet();
    this.#frames.add(frame);
    this.#mostBytes += frame.byteLength;
  }

  /** Waiting frames without superseded ones; the same list where nothing is dropped. */
  thinned(waiting: Uint8Array[]): Uint8Array[] {
    const frames = this.#frames;
    if (this.#mostBytes <= MAX_WAITING_BYTES || frames === undefined) return waiting;
    const found = waiting.filter((frame) => frames.has(frame));
    this.#mostBytes = bytesOf(found);
    const newest = found.at(-1);
    if (this.#mostBytes <= MAX_WAITING_BYTES || newest === undefined || found.length === 1) return waiting;
    this.#mostBytes = newest.byteLength;
    return waiting.filter((frame) => frame === newest || !frames.has(frame));
  }
}

/** Bytes of frames together. */
export function bytesOf(frames: readonly Uint8Array[]): number {
  return frames.reduce((sum, { byteLength }) => sum + byteLength, 0);
}
