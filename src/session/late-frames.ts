import { type EncodedFrame, HEADER_BYTES, ownBytes } from '../wire/frame.ts';

/**
 * Maximum size of a small frame (bytes). A small frame does not start to wait; the limit of unread bytes applies to it.
 */
const MAX_SMALL_BYTES = 64 * 1024;

/** Options of {@link LateFrames}. */
export interface LateFramesOptions {
  /** Number of unread bytes above which a large frame, and every frame behind it, waits. */
  readonly maxUnread: number;
  send(frame: EncodedFrame): void;
  /** Called when the waiting frames have changed; see {@link LateFrames.bytes} and {@link LateFrames.answers}. */
  changed(): void;
}

/**
 * Frames of one session that wait until its peer has read earlier ones. They are sent in the order of their creation,
 * so that no event overtakes the answer to the request that caused it, and no older value follows a newer one.
 */
export class LateFrames {
  readonly #options: LateFramesOptions;
  #unread = 0;
  /** Bytes sent in this turn of the event loop, which the connection may not have reported yet. */
  #justSent = 0;
  #waiting: { readonly frame: EncodedFrame; readonly kind: 'answer' | 'event' }[] = [];
  #bytes = 0;
  #answers = 0;

  constructor(options: LateFramesOptions) {
    this.#options = options;
  }

  /** Bytes that wait. */
  get bytes(): number {
    return this.#bytes;
  }

  /** How many answers wait. */
  get answers(): number {
    return this.#answers;
  }

  /** Sends the frame now, or when the peer has read enough. */
  send(frame: EncodedFrame, kind: 'answer' | 'event'): void {
    const { byteLength } = frame.bytes;
    const isLarge = byteLength > MAX_SMALL_BYTES;
    if (this.#waiting.length > 0 || (isLarge && this.#isFull)) {
      this.#waiting.push({ frame: owned(frame), kind });
      this.#add(kind, byteLength, 1);
      return this.#options.changed();
    }
    if (isLarge) this.#sent(byteLength);
    this.#options.send(frame);
  }

  /** `unread` bytes are unread. */
  backlog(unread: number): void {
    this.#unread = unread;
    // Sending is deferred, because the caller may be sending a frame.
    if (this.#waiting.length > 0 && !this.#isFull) setImmediate(() => this.#goOn());
  }

  /** Drops the waiting frames, because the peer has disconnected. */
  end(): void {
    this.#waiting = [];
    this.#bytes = 0;
    this.#answers = 0;
  }

  get #isFull(): boolean {
    return this.#unread + this.#justSent > this.#options.maxUnread;
  }

  #sent(bytes: number): void {
    if (this.#justSent === 0) {
      setImmediate(() => {
        this.#justSent = 0;
        this.#goOn();
      });
    }
    this.#justSent += bytes;
  }

  #goOn(): void {
    const waiting = this.#waiting;
    let count = 0;
    while (!this.#isFull) {
      const next = waiting[count];
      if (next === undefined) break;
      count += 1;
      this.#sent(next.frame.bytes.byteLength);
      this.#options.send(next.frame);
      // The session may have ended while the frame was sent.
      if (this.#waiting !== waiting) return;
    }
    if (count === 0) return;
    for (const { frame, kind } of waiting.splice(0, count)) this.#add(kind, -frame.bytes.byteLength, -1);
    this.#options.changed();
  }

  #add(kind: 'answer' | 'event', bytes: number, frames: 1 | -1): void {
    this.#bytes += bytes;
    if (kind === 'answer') this.#answers += frames;
  }
}

/** Copies a frame if its bytes are part of a larger buffer, which the waiting frame would retain. */
function owned(frame: EncodedFrame): EncodedFrame {
  const bytes = ownBytes(frame.bytes);
  return bytes === frame.bytes ? frame : { ...frame, bytes, body: bytes.subarray(HEADER_BYTES) };
}
