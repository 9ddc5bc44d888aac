/** From so many waiting bytes on, answers that a newer one makes superfluous are dropped; other answers do not count. */
const MAX_WAITING_BYTES = 256 * 1024;

/**
 * The waiting answers of which only the newest matters to a peer that does not read: several apps set their activity for hours and
 * never read an answer. Whoever reads, however slowly, stays below the bound and gets every one.
 */
export class NewestOnly {
  /** Made with the first one: most connections never have any that waits. */
  #frames: WeakSet<Uint8Array> | undefined;
  /** Their bytes, with those that were sent since they were last counted. */
  #mostBytes = 0;

  /** `frame` as it waits. */
  add(frame: Uint8Array): void {
    this.#frames ??= new WeakSet();
    this.#frames.add(frame);
    this.#mostBytes += frame.byteLength;
  }

  /** What is left of the waiting frames; the same list where nothing is dropped. */
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
