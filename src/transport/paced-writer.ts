/** What a {@link PacedWriter} writes to. */
export interface PacedSink {
  /** One write. False when the bytes had to wait in our own memory because the kernel's buffer is full. */
  write(bytes: Uint8Array): boolean;
  /** Bytes the peer has not read yet, or undefined where the system cannot tell. */
  unread(): number | undefined;
  /** Bytes accepted by `write` that still wait in our own memory. */
  buffered(): number;
  /**
   * How many bytes wait, here and in `buffered`, and how many are unread when large frames that the kernel has taken
   * count, too; told when either changes.
   */
  backlog(held: number, unread: number): void;
  /** So many frames wait for a peer that does read that it had better not be asked for more; told when it changes. */
  crowded(crowded: boolean): void;
  /** The peer leaves more unread than it may. */
  overflow(): void;
}

/** Without a way to ask, this long a gap separates two frames (ms). */
const BLIND_GAP_MS = 5;
/** Polls in every turn of the event loop first, then this often (ms). */
const POLL_MS = 2;
const EAGER_POLL_MS = 2;
/**
 * A peer may have taken the bytes and still be inside the read that took them: what follows too closely ends in
 * the same read. Sleeping this long lets it get out, on a busy machine too (ms).
 */
const SETTLE_MS = 1;
/** A peer that has not read a frame by then is slow, and gets what waits in as few writes as possible (ms). */
const SLOW_MS = 250;
/** From this many waiting frames on the peer's next requests are left unread: their answers would only wait, too. */
const CROWD = 16;
/**
 * More than this many waiting frames may share a write, and `discord-rpc` loses all but the first of them. It is more
 * than a crowd and the answers to 64 requests that are in flight by then.
 */
const MAX_WAITING = 96;
/** More frames than this without a rest are no burst of an app that is within its rate: it may ask on, and share. */
const LONGEST_BURST = 256;

const NOTHING = { held: 0, unread: 0 } as const;

/** Frames share a write up to this size (bytes): more would only hold them in memory twice. */
const LARGEST_WRITE = 64 * 1024;

/**
 * A frame from this size on (bytes) is no small talk: it counts as unread until the peer has read it, and not only until
 * the kernel has taken it. Peers that do not read would else be asked for more as long as there is room.
 */
const LARGE_FRAME = 16 * 1024;
/** Whether it has been read is looked at after this long, and then less and less often (ms). */
const FIRST_LOOK_MS = 50;
const LAST_LOOK_MS = 1000;

/** How far the peer is: bytes are unread, it may still be inside the read that took the last, or it is done. */
type Progress = 'behind' | 'reading' | 'done';

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
  /** When we last wrote, or last saw the peer with something unread. */
  #busyAt = -Infinity;
  /** It has sent something since then and has nothing unread, so its read is over. */
  #heard = false;
  #told: { readonly held: number; readonly unread: number } = NOTHING;
  #crowded = false;
  /** Frames written since the peer had last caught up. */
  #burst = 0;
  #onEmpty: (() => void) | undefined;
  /** Large frames that were written, and are unread as far as we know. */
  #large: { readonly bytes: number; readonly look: NodeJS.Timeout } | undefined;

  constructor(sink: PacedSink, maxBytes: number) {
    this.#sink = sink;
    this.#maxBytes = maxBytes;
  }

  push(frame: Uint8Array): void {
    if (this.#pace.kind === 'stopped') return;
    this.#waiting.push(frame);
    this.#waitingBytes += frame.byteLength;
    this.pump();
    if (this.#told.held > this.#maxBytes) {
      this.stop();
      this.#sink.overflow();
    }
  }

  /** The peer has sent something: with nothing unread it is past its read by the time this is answered. */
  heard(): void {
    if (this.#unread() === 0) this.#heard = true;
  }

  /** Calls back once everything has been handed to the kernel. */
  whenEmpty(callback: () => void): void {
    this.#onEmpty = callback;
    this.pump();
  }

  /** Sends what may be sent now; also to be called when the sink has room again. */
  pump(): void {
    this.#drive();
    // One that is slow gets what waits in one piece: it must not be kept from saying more.
    const crowded =
      this.#pace.kind === 'polling' && this.#waiting.length >= CROWD && this.#burst < LONGEST_BURST;
    if (crowded !== this.#crowded) {
      this.#crowded = crowded;
      this.#sink.crowded(crowded);
    }
    const buffered = this.#sink.buffered();
    const held = this.#waitingBytes + buffered;
    const unread = this.#waitingBytes + Math.max(buffered, this.#large?.bytes ?? 0);
    if (held === this.#told.held && unread === this.#told.unread) return;
    this.#told = { held, unread };
    this.#sink.backlog(held, unread);
  }

  #drive(): void {
    while (this.#waiting.length > 0 && this.#pace.kind !== 'stopped' && this.#sink.buffered() === 0) {
      const progress = this.#progress();
      if (progress === 'done') {
        this.#setPace({ kind: 'idle' });
        // A queue that a shared write has emptied is no rest: the peer has yet to read it.
        if (this.#waiting.length === 1) this.#burst = 0;
        this.#write(1);
      } else if (
        (progress === 'behind' && this.#pace.kind === 'slow') ||
        this.#waiting.length > MAX_WAITING
      ) {
        this.#write(this.#waiting.length);
      } else {
        this.#poll(progress);
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
    this.#forgetLarge();
    this.#waiting = [];
    this.#waitingBytes = 0;
  }

  #progress(): Progress {
    const now = performance.now();
    const unread = this.#unread();
    if (unread === undefined) return now - this.#busyAt >= BLIND_GAP_MS ? 'done' : 'behind';
    if (unread === 0) return this.#heard || now - this.#busyAt >= SETTLE_MS ? 'done' : 'reading';
    this.#busy(now);
    return 'behind';
  }

  #unread(): number | undefined {
    const unread = this.#sink.unread();
    if (unread === undefined || unread === 0) this.#forgetLarge();
    return unread;
  }

  /** Counts `bytes` of large frames as waiting until they are read; looks again after `ms`. */
  #watchLarge(bytes: number, ms: number): void {
    this.#forgetLarge();
    const look = setTimeout(() => {
      this.#unread();
      if (this.#large) this.#watchLarge(bytes, Math.min(2 * ms, LAST_LOOK_MS));
      else this.pump();
    }, ms);
    this.#large = { bytes, look };
  }

  #forgetLarge(): void {
    clearTimeout(this.#large?.look);
    this.#large = undefined;
  }

  #busy(now: number): void {
    this.#busyAt = now;
    this.#heard = false;
  }

  /** Writes at most `count` waiting frames, and at least one, as one piece. */
  #write(count: number): void {
    let bytesTogether = 0;
    const tooLarge = this.#waiting.findIndex((frame) => {
      bytesTogether += frame.byteLength;
      return bytesTogether > LARGEST_WRITE;
    });
    const frames = this.#waiting.splice(0, tooLarge === -1 ? count : Math.min(count, Math.max(1, tooLarge)));
    const bytes = frames.length === 1 && frames[0] ? frames[0] : concat(frames);
    this.#waitingBytes -= bytes.byteLength;
    this.#burst += frames.length;
    this.#busy(performance.now());
    const large = frames.reduce(
      (sum, { byteLength }) => sum + (byteLength < LARGE_FRAME ? 0 : byteLength),
      0,
    );
    if (large > 0) this.#watchLarge((this.#large?.bytes ?? 0) + large, FIRST_LOOK_MS);
    this.#sink.write(bytes);
  }

  #poll(progress: Progress): void {
    const now = performance.now();
    const since = this.#pace.kind === 'polling' ? this.#pace.since : now;
    if (now - since >= SLOW_MS) {
      this.#setPace({ kind: 'slow' });
      return this.pump();
    }
    const again = (): void => {
      if (this.#pace.kind === 'polling') this.pump();
    };
    const eager = progress === 'behind' && now - since < EAGER_POLL_MS && this.#sink.unread() !== undefined;
    const ms = progress === 'reading' ? SETTLE_MS : POLL_MS;
    this.#setPace({ kind: 'polling', since, cancel: eager ? onImmediate(again) : onTimeout(again, ms) });
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
