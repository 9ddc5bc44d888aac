import { ownBytes } from '../../wire/frame.ts';
import { bytesOf, NewestOnly } from './newest-only.ts';
import { TurnWatch } from './turn-watch.ts';

/** Output that a {@link PacedWriter} writes to. */
export interface PacedSink {
  /** One write. False when the bytes had to wait in our own memory because the kernel's buffer is full. */
  write(bytes: Uint8Array): boolean;
  /** Bytes the peer has not read yet, or undefined where the system does not report them. */
  unread(): number | undefined;
  /** Bytes accepted by `write` that still wait in our own memory. */
  buffered(): number;
  /**
   * Bytes that wait, here and in `buffered`, and bytes unread when large frames that the kernel has taken count, too;
   * called when either changes.
   */
  backlog(held: number, unread: number): void;
  /** Backpressure: true while CROWD or more frames wait for a reading peer; called when it changes. */
  crowded(crowded: boolean): void;
  /** The peer has more unread bytes than allowed. */
  overflow(): void;
}

/** Gap between two frames where the system does not report unread bytes (ms). */
const BLIND_GAP_MS = 5;
/**
 * Interval of the polls (ms) after those in turns of the event loop, which become rarer: a peer that has not read by
 * then is not running, and polling may occupy the processor it waits for.
 */
const POLL_MS = 2;
const EAGER_POLL_MS = 0.5;
const MAX_TURNS = 16;
/** An answer of the peer to a frame it has read arrives in our next turn, and is processed before the check. */
const TURNS_TO_TALK = 2;
/**
 * A peer may have taken the bytes and still be inside the read that took them: a frame that follows too closely ends in
 * the same read. That part of a read is a few instructions of the kernel; this delay lets it end, on a busy machine too
 * (ms).
 */
const SETTLE_MS = 0.25;
/** A peer that has not read a frame by then is slow, and gets the waiting frames in as few writes as possible (ms). */
const SLOW_MS = 250;
/** From this many waiting frames on the peer's next requests are left unread: their answers would only wait, too. */
const CROWD = 16;
/**
 * More than this many waiting frames may share a write, and `discord-rpc` loses all but the first of them. It is more
 * than a crowd and the answers to 64 requests that are in flight by then.
 */
const MAX_WAITING = 96;
/**
 * More waiting frames than this, without a rest, are no burst: a peer that sends as many requests at a time reads
 * them, too.
 */
const MAX_BURST = 256;
/** From then on this many waiting frames may share a write, and the peer may send further requests. */
const SHARED_BY_A_FLOOD = 32;
/** A peer that was sent nothing for this long has had a rest (ms). */
const REST_MS = 20;

/** Frames share a write up to this size (bytes): more would only hold them in memory twice. */
const MAX_WRITE_BYTES = 64 * 1024;

/**
 * Frames from this size on (bytes) count as unread until the peer has read them, and not only until the kernel has
 * taken them. Otherwise the bridge would read requests from peers that do not read as long as there is room.
 */
const LARGE_FRAME = 16 * 1024;
/** The first check for unread large frames comes after this delay; later ones become rarer (ms). */
const FIRST_CHECK_MS = 50;
const LAST_CHECK_MS = 1000;

/** How far the peer is: bytes are unread, it may still be inside the read that took the last, or it is done. */
type Progress = 'behind' | 'reading' | 'done' | 'unknown';

type Pace =
  | { readonly kind: 'idle' }
  | { readonly kind: 'polling'; readonly since: number; readonly timer: NodeJS.Timeout }
  /** The peer is checked in a later turn of the event loop, `turns` after the last check. */
  | { readonly kind: 'watching'; readonly since: number; readonly turns: number; readonly due: number }
  /** The peer is slow: the writer does not wait for it until it has caught up. */
  | { readonly kind: 'slow' }
  | { readonly kind: 'stopped' };

const IDLE: Pace = { kind: 'idle' };
const SLOW: Pace = { kind: 'slow' };
const STOPPED: Pace = { kind: 'stopped' };

/**
 * Sends frames one write each, the next only once the peer has read the one before: several widely used
 * clients parse a single frame per read and throw the rest away.
 */
export class PacedWriter {
  readonly #sink: PacedSink;
  readonly #maxBytes: number;
  readonly #watch: TurnWatch;
  #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  readonly #newestOnly = new NewestOnly();
  #pace: Pace = IDLE;
  /** When we last wrote, or last saw the peer with something unread. */
  #busyAt = -Infinity;
  /** The peer has sent something since then and has nothing unread, so its read is over. */
  #received = false;
  #toldHeld = 0;
  #toldUnread = 0;
  #crowded = false;
  /** Frames written since the peer's last rest that had to wait for it. */
  #burst = 0;
  #onEmpty: (() => void) | undefined;
  /** Large frames that were written, and are unread as far as we know. */
  #large: { readonly bytes: number; readonly check: NodeJS.Timeout } | undefined;

  /** `watch` is shared by all writers of an endpoint, so that one check per turn serves them all. */
  constructor(sink: PacedSink, maxBytes: number, watch = new TurnWatch()) {
    this.#sink = sink;
    this.#maxBytes = maxBytes;
    this.#watch = watch;
  }

  /** `newestOnly`: a newer frame supersedes it for a peer that does not read. */
  push(frame: Uint8Array, newestOnly = false): void {
    if (this.#pace.kind === 'stopped') return;
    this.#waiting.push(frame);
    this.#waitingBytes += frame.byteLength;
    // Where a check of the peer is scheduled anyway, a further frame is no reason to check at once.
    const isWatched =
      this.#pace.kind === 'watching' && !this.#received && this.#waiting.length <= this.#mostWaiting;
    if (isWatched) this.#tell();
    else this.pump();
    // A copy: a waiting frame must not retain a larger buffer.
    if (this.#waiting.at(-1) === frame) {
      const own = ownBytes(frame);
      this.#waiting[this.#waiting.length - 1] = own;
      if (newestOnly) this.#newestOnly.add(own);
      this.#thin();
    }
    if (this.#heldBehindFront > this.#maxBytes) {
      this.stop();
      this.#sink.overflow();
    }
  }

  /** The peer has sent something: with nothing unread its read is over by the time the answer leaves. */
  received(): void {
    // Before the first write nothing can be unread.
    if (this.#busyAt === -Infinity || this.#unread() === 0) this.#received = true;
  }

  /** Whether every frame has been handed to the kernel. */
  get isEmpty(): boolean {
    return this.#waiting.length === 0 && this.#sink.buffered() === 0;
  }

  /** Calls back once it has. */
  whenEmpty(callback: () => void): void {
    this.#onEmpty = callback;
    this.pump();
  }

  /** Sends the frames that may leave now; also to be called when the sink has room again. */
  pump(): void {
    this.#drive();
    this.#tell();
  }

  #thin(): void {
    const left = this.#newestOnly.thinned(this.#waiting);
    if (left === this.#waiting) return;
    this.#waiting = left;
    this.#waitingBytes = bytesOf(left);
    this.#tell();
  }

  /** Waiting bytes besides the write at the front: one frame may be larger than the bound of unread bytes. */
  get #heldBehindFront(): number {
    const isWriting = this.#sink.buffered() > 0;
    return this.#waitingBytes - (isWriting ? 0 : (this.#waiting[0]?.byteLength ?? 0));
  }

  get #mostWaiting(): number {
    return this.#burst < MAX_BURST ? MAX_WAITING : SHARED_BY_A_FLOOD;
  }

  #tell(): void {
    // A slow peer gets all waiting frames in one piece: it must not be stopped from sending.
    const crowded = this.#isPolling && this.#waiting.length >= CROWD && this.#burst < MAX_BURST;
    if (crowded !== this.#crowded) {
      this.#crowded = crowded;
      this.#sink.crowded(crowded);
    }
    const buffered = this.#sink.buffered();
    const held = this.#waitingBytes + buffered;
    const unread = this.#waitingBytes + Math.max(buffered, this.#large?.bytes ?? 0);
    if (held === this.#toldHeld && unread === this.#toldUnread) return;
    this.#toldHeld = held;
    this.#toldUnread = unread;
    this.#sink.backlog(held, unread);
  }

  #drive(): void {
    while (this.#waiting.length > 0 && this.#pace.kind !== 'stopped' && this.#sink.buffered() === 0) {
      const received = this.#received;
      const progress = this.#progress();
      if (progress === 'done') {
        this.#setPace(IDLE);
        this.#write(1);
        // Input of the peer is processed before the peer is checked.
        if (received && this.#waiting.length > 0) return this.#check(performance.now(), TURNS_TO_TALK);
      } else if (
        (progress === 'behind' && this.#pace.kind === 'slow') ||
        this.#waiting.length > this.#mostWaiting
      ) {
        this.#write(this.#waiting.length);
      } else {
        this.#poll(progress);
        return;
      }
    }
    // No frame waits: the next push checks at once instead of relying on a finished check.
    if (this.#waiting.length === 0 && this.#isPolling) this.#setPace(IDLE);
    if (this.#waiting.length === 0 && this.#sink.buffered() === 0) {
      const done = this.#onEmpty;
      this.#onEmpty = undefined;
      done?.();
    }
  }

  /** Drops all waiting frames. */
  stop(): void {
    this.#setPace(STOPPED);
    this.#forgetLarge();
    this.#waiting = [];
    this.#waitingBytes = 0;
  }

  #progress(): Progress {
    // The unread bytes were queried when the peer sent its last frame, and nothing was written since.
    if (this.#received) return 'done';
    const now = performance.now();
    const unread = this.#unread();
    if (unread === undefined) return now - this.#busyAt >= BLIND_GAP_MS ? 'done' : 'unknown';
    if (unread === 0) return now - this.#busyAt >= SETTLE_MS ? 'done' : 'reading';
    this.#busy(now);
    return 'behind';
  }

  #unread(): number | undefined {
    const unread = this.#sink.unread();
    if (unread === undefined || unread === 0) this.#forgetLarge();
    return unread;
  }

  /** Counts `bytes` of large frames as waiting until they are read; checks again after `ms`. */
  #watchLarge(bytes: number, ms: number): void {
    this.#forgetLarge();
    const check = setTimeout(() => {
      this.#unread();
      if (this.#large) this.#watchLarge(bytes, Math.min(2 * ms, LAST_CHECK_MS));
      else this.pump();
    }, ms);
    this.#large = { bytes, check };
  }

  #forgetLarge(): void {
    clearTimeout(this.#large?.check);
    this.#large = undefined;
  }

  #busy(now: number): void {
    this.#busyAt = now;
    this.#received = false;
  }

  /** Writes `count` waiting frames or fewer, and at least one, as one piece. */
  #write(count: number): void {
    const now = performance.now();
    if (now - this.#busyAt >= REST_MS) this.#burst = 0;
    this.#busy(now);
    if (count > 1 && this.#waiting.length > 1) return this.#writeShared(count);
    const frame = this.#waiting.shift();
    if (frame === undefined) return;
    if (this.#waiting.length > 0) this.#burst += 1;
    this.#send(frame, largeBytes(frame));
  }

  #writeShared(count: number): void {
    let bytesTogether = 0;
    const tooLarge = this.#waiting.findIndex((frame) => {
      bytesTogether += frame.byteLength;
      return bytesTogether > MAX_WRITE_BYTES;
    });
    const frames = this.#waiting.splice(0, tooLarge === -1 ? count : Math.min(count, Math.max(1, tooLarge)));
    this.#burst += frames.length;
    const bytes = frames.length === 1 && frames[0] ? frames[0] : concat(frames);
    this.#send(
      bytes,
      frames.reduce((sum, frame) => sum + largeBytes(frame), 0),
    );
  }

  #send(bytes: Uint8Array, large: number): void {
    this.#waitingBytes -= bytes.byteLength;
    if (large > 0) this.#watchLarge((this.#large?.bytes ?? 0) + large, FIRST_CHECK_MS);
    this.#sink.write(bytes);
  }

  get #isPolling(): boolean {
    return this.#pace.kind === 'polling' || this.#pace.kind === 'watching';
  }

  #poll(progress: Progress): void {
    const now = performance.now();
    const pace = this.#pace;
    const since = pace.kind === 'polling' || pace.kind === 'watching' ? pace.since : now;
    if (now - since >= SLOW_MS) {
      this.#setPace(SLOW);
      return this.pump();
    }
    if (progress !== 'unknown' && now - since < EAGER_POLL_MS) {
      const again = pace.kind === 'watching' && progress !== 'reading';
      return this.#check(since, again ? Math.min(2 * pace.turns, MAX_TURNS) : 1);
    }
    const timer = setTimeout(() => this.#later(), progress === 'reading' ? 1 : POLL_MS);
    this.#setPace({ kind: 'polling', since, timer });
  }

  /** Schedules a check of the peer in `turns` turns. */
  #check(since: number, turns: number): void {
    this.#setPace({ kind: 'watching', since, turns, due: this.#watch.add(this, turns) });
  }

  /** Called in the turn of the event loop for which it was added; an earlier schedule no longer counts. */
  check(turn: number): void {
    if (this.#pace.kind === 'watching' && this.#pace.due === turn) this.pump();
  }

  #later(): void {
    if (this.#pace.kind === 'polling') this.pump();
  }

  #setPace(pace: Pace): void {
    if (this.#pace.kind === 'polling') clearTimeout(this.#pace.timer);
    if (this.#pace.kind !== 'stopped') this.#pace = pace;
  }
}

function largeBytes({ byteLength }: Uint8Array): number {
  return byteLength < LARGE_FRAME ? 0 : byteLength;
}

function concat(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(bytesOf(parts));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.byteLength;
  }
  return whole;
}
