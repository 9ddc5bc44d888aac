/** From so many waiting bytes on, answers that a newer one makes superfluous are dropped. */
const MAX_WAITING_BYTES = 256 * 1024;

/**
 * The waiting answers of which only the newest matters to a peer that does not read: several apps set their activity for hours and
 * never read an answer. Whoever reads, however slowly, stays below the bound and gets every one.
 */
export class NewestOnly {
  /** Made with the first one: most connections never have any that waits. */
  #frames: WeakSet<Uint8Array> | undefined;

  /** `frame` as it waits. */
  add(frame: Uint8Array): void {
    this.#frames ??= new WeakSet();
    this.#frames.add(frame);
  }

  /** What is left of the waiting frames, of `bytes` bytes together; the same list where nothing is dropped. */
  thinned(waiting: Uint8Array[], bytes: number): Uint8Array[] {
    const frames = this.#frames;
    if (bytes <= MAX_WAITING_BYTES || frames === undefined) return waiting;
    const newest = waiting.findLast((frame) => frames.has(frame));
    const kept = waiting.filter((frame) => frame === newest || !frames.has(frame));
    return kept.length === waiting.length ? waiting : kept;
  }
}

/** Bytes of frames together. */
export function bytesOf(frames: readonly Uint8Array[]): number {
  return frames.reduce((sum, { byteLength }) => sum + byteLength, 0);
}
