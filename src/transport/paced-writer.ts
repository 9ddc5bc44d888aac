/** What a {@link PacedWriter} writes to. */
export interface PacedSink {
  /** One write. False when the bytes had to wait in our own memory because the kernel's buffer is full. */
  write(bytes: Uint8Array): boolean;
  /** Bytes the peer has not read yet, or undefined where the system cannot tell. */
  unread(): number | undefined;
  /** Bytes accepted by `write` that still wait in our own memory. */
  buffered(): number;
  /** How many bytes wait, here and in `buffered`; told when it changes. */
  backlog(bytes: number): void;
  /** The peer leaves more unread than it may. */
  overflow(): void;
}

/** Without a way to ask, this long a gap separates two frames (ms). */
const BLIND_GAP_MS = 5;
/** Polls in every turn of the event loop first, then this often (ms). */
const POLL_MS = 2;
const EAGER_POLL_MS = 2;
/** A peer that has not read a frame by then is slow, and gets what waits in as few writes as possible (ms). */
const SLOW_MS = 250;
/** More than this many waiting frames may share a write; at 8 `discord-rpc` was seen to lose answers, at 32 not. */
const MAX_WAITING = 32;

type Pace =
  | { readonly kind: 'idle' }
  | { readonly kind: 'polling'; readonly since: number; cancel(): void }
  /** The peer is slow: no more waiting for it, until it has caught up. */
  | { readonly kind: 'slow' }
  | { readonly kind: 'stopped' };

/**
 * Sends frames one write each, the next only once the peer has read the one before: several widely used
 * clients parse a single frame per read and throw the rest away.
 */
export class PacedWriter {
  readonly #sink: PacedSink;
  readonly #maxBytes: number;
  #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  #pace: Pace = { kind: 'idle' };
  #lastWrite = -Infinity;
  /** As told last. */
  #backlog = 0;
  #onEmpty: (() => void) | undefined;

  constructor(sink: PacedSink, maxBytes: number) {
    this.#sink = sink;
    this.#maxBytes = maxBytes;
  }

  push(frame: Uint8Array): void {
    if (this.#pace.kind === 'stopped') return;
    this.#waiting.push(frame);
    this.#waitingBytes += frame.byteLength;
    this.pump();
    if (this.#backlog > this.#maxBytes) {
      this.stop();
      this.#sink.overflow();
    }
  }

  /** Calls back once everything has been handed to the kernel. */
  whenEmpty(callback: () => void): void {
    this.#onEmpty = callback;
    this.pump();
  }

  /** Sends what may be sent now; also to be called when the sink has room again. */
  pump(): void {
    this.#drive();
    const backlog = this.#waitingBytes + this.#sink.buffered();
    if (backlog === this.#backlog) return;
    this.#backlog = backlog;
    this.#sink.backlog(backlog);
  }

  #drive(): void {
    while (this.#waiting.length > 0 && this.#pace.kind !== 'stopped' && this.#sink.buffered() === 0) {
      if (this.#caughtUp()) {
        this.#setPace({ kind: 'idle' });
        this.#write(1);
      } else if (this.#pace.kind === 'slow' || this.#waiting.length > MAX_WAITING) {
        this.#write(this.#waiting.length);
      } else {
        this.#poll();
        return;
      }
    }
    if (this.#waiting.length === 0 && this.#sink.buffered() === 0) {
      const done = this.#onEmpty;
      this.#onEmpty = undefined;
      done?.();
    }
  }

  /** Forgets everything that waits. */
  stop(): void {
    this.#setPace({ kind: 'stopped' });
    this.#waiting = [];
    this.#waitingBytes = 0;
  }

  #caughtUp(): boolean {
    const unread = this.#sink.unread();
    return unread === undefined ? performance.now() - this.#lastWrite >= BLIND_GAP_MS : unread === 0;
  }

  #write(count: number): void {
    const frames = this.#waiting.splice(0, count);
    const bytes = frames.length === 1 && frames[0] ? frames[0] : concat(frames);
    this.#waitingBytes -= bytes.byteLength;
    this.#lastWrite = performance.now();
    this.#sink.write(bytes);
  }

  #poll(): void {
    const now = performance.now();
    const since = this.#pace.kind === 'polling' ? this.#pace.since : now;
    if (now - since >= SLOW_MS) {
      this.#setPace({ kind: 'slow' });
      return this.pump();
    }
    const again = (): void => {
      if (this.#pace.kind === 'polling') this.pump();
    };
    const eager = now - since < EAGER_POLL_MS && this.#sink.unread() !== undefined;
    this.#setPace({ kind: 'polling', since, cancel: eager ? onImmediate(again) : onTimeout(again, POLL_MS) });
  }

  #setPace(pace: Pace): void {
    if (this.#pace.kind === 'polling') this.#pace.cancel();
    if (this.#pace.kind !== 'stopped') this.#pace = pace;
  }
}

function onImmediate(callback: () => void): () => void {
  const handle = setImmediate(callback);
  return () => clearImmediate(handle);
}

function onTimeout(callback: () => void, ms: number): () => void {
  const handle = setTimeout(callback, ms);
  return () => clearTimeout(handle);
}

function concat(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((size, part) => size + part.byteLength, 0));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.byteLength;
  }
  return whole;
}
