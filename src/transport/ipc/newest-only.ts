/** Number of waiting bytes of replaceable answers above which all but the newest of them are dropped. */
const MAX_WAITING_BYTES = 256 * 1024;

/**
 * Drops waiting answers that a newer answer replaces, for a peer that does not read: several apps set their activity
 * for hours and never read an answer. A peer that reads, however slowly, stays below the limit and gets every answer.
 */
export class NewestOnly {
  /** Replaceable frames; created with the first such frame that waits, because few connections have one. */
  #frames: WeakSet<Uint8Array> | undefined;
  /** Upper bound of the waiting bytes of these frames: the bytes at the last count plus the frames added since. */
  #boundBytes = 0;

  /** `frame` as it waits. */
  add(frame: Uint8Array): void {
    this.#frames ??= new WeakSet();
    this.#frames.add(frame);
    this.#boundBytes += frame.byteLength;
  }

  /** Whether the frame was added. */
  has(frame: Uint8Array): boolean {
    return this.#frames?.has(frame) ?? false;
  }

  /** Returns the waiting frames without replaced ones; the same list when no frame is dropped. */
  thinned(waiting: Uint8Array[]): Uint8Array[] {
    const frames = this.#frames;
    if (this.#boundBytes <= MAX_WAITING_BYTES || frames === undefined) return waiting;
    const found = waiting.filter((frame) => frames.has(frame));
    this.#boundBytes = bytesOf(found);
    const newest = found.at(-1);
    if (this.#boundBytes <= MAX_WAITING_BYTES || newest === undefined || found.length === 1) return waiting;
    this.#boundBytes = newest.byteLength;
    return waiting.filter((frame) => frame === newest || !frames.has(frame));
  }
}

/** Bytes of frames together. */
export function bytesOf(frames: readonly Uint8Array[]): number {
  return frames.reduce((sum, { byteLength }) => sum + byteLength, 0);
}
