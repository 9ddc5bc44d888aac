import { ownBytes } from '../../wire/frame.ts';
import { bytesOf, NewestOnly } from './newest-only.ts';
import type { PacedSink, WaitingOutput } from './paced-writer.ts';

/**
 * Number of bytes from which the frames of a turn are written before the turn ends, so that the session learns early of
 * a peer that does not read, and no large write holds the frames in memory twice.
 */
const MAX_TURN_BYTES = 64 * 1024;

/**
 * Sends frames as soon as the kernel has room, without waiting for the peer to read. It is for peers that process every
 * frame of a read. Frames of one turn leave in one write.
 */
export class PlainWriter {
  readonly #sink: PacedSink;
  readonly #maxBytes: number;
  #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  readonly #newestOnly = new NewestOnly();
  /** Backlog that the sink was last given; undefined when the sink has one of another writer. */
  #reported: number | undefined = 0;
  #onEmpty: (() => void) | undefined;
  #state: 'idle' | 'due' | 'stopped' = 'idle';

  constructor(sink: PacedSink, maxBytes: number) {
    this.#sink = sink;
    this.#maxBytes = maxBytes;
  }

  /** Continues the output of another writer of the same sink. */
  takeOver({ waiting, onEmpty }: WaitingOutput): void {
    this.#reported = undefined;
    this.#onEmpty = onEmpty;
    for (const { bytes, newestOnly } of waiting) this.push(bytes, newestOnly);
    this.pump();
  }

  /** Adds a frame. With `newestOnly`, a newer such frame replaces it if the peer does not read. */
  push(frame: Uint8Array, newestOnly = false): void {
    if (this.#state === 'stopped') return;
    this.#waitingBytes += frame.byteLength;
    if (this.#sink.buffered() > 0) return this.#wait(frame, newestOnly);
    this.#waiting.push(frame);
    if (this.#waitingBytes >= MAX_TURN_BYTES) return this.pump();
    if (this.#state === 'due') return;
    this.#state = 'due';
    // The write is deferred until the current chunk is processed, so that the answers to all its requests leave in one
    // write.
    process.nextTick(() => {
      if (this.#state !== 'due') return;
      this.#state = 'idle';
      this.pump();
    });
  }

  /** Queues a frame until the kernel has room. The frame is copied if it would retain a larger buffer meanwhile. */
  #wait(frame: Uint8Array, newestOnly: boolean): void {
    const own = ownBytes(frame);
    this.#waiting.push(own);
    if (newestOnly) this.#newestOnly.add(own);
    const left = this.#newestOnly.thinned(this.#waiting);
    if (left !== this.#waiting) this.#waitingBytes = bytesOf(left);
    this.#waiting = left;
    this.#notify();
  }

  /** Does nothing, because this writer does not depend on the peer's input. */
  received(): void {}

  /** Whether every frame has been handed to the kernel. */
  get isEmpty(): boolean {
    return this.#waiting.length === 0 && this.#sink.buffered() === 0;
  }

  /** Calls back once it has. */
  whenEmpty(callback: () => void): void {
    this.#onEmpty = callback;
    this.pump();
  }

  /** Sends the waiting frames. Call it also when the sink has room again. */
  pump(): void {
    if (this.#state === 'stopped') return;
    if (this.#waiting.length > 0 && this.#sink.buffered() === 0) {
      const [first] = this.#waiting;
      const bytes =
        this.#waiting.length === 1 && first ? first : Buffer.concat(this.#waiting, this.#waitingBytes);
      this.#waiting = [];
      this.#waitingBytes = 0;
      this.#sink.write(bytes);
    }
    this.#notify();
  }

  /** Drops all waiting frames. */
  stop(): void {
    this.#state = 'stopped';
    this.#waiting = [];
    this.#waitingBytes = 0;
  }

  #notify(): void {
    const held = this.#waitingBytes + this.#sink.buffered();
    if (held === 0) {
      const done = this.#onEmpty;
      this.#onEmpty = undefined;
      done?.();
    }
    if (held === this.#reported) return;
    this.#reported = held;
    this.#sink.backlog(held, held);
    // A write in progress is not counted, because one frame may be larger than the limit of unread bytes.
    if (this.#waitingBytes <= this.#maxBytes) return;
    this.stop();
    this.#sink.overflow();
  }
}
