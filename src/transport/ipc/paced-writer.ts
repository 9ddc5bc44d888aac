import { ownBytes } from '../../wire/frame.ts';
import { BlindGap } from './blind-gap.ts';
import { Burst } from './burst.ts';
import { bytesOf, NewestOnly } from './newest-only.ts';
import { TurnWatch } from './turn-watch.ts';

/** Output that a {@link PacedWriter} writes to. */
export interface PacedSink {
  /** Performs one write. Returns false when the bytes wait in our own memory because the kernel's buffer is full. */
  write(bytes: Uint8Array): boolean;
  /** Returns the number of bytes that the peer has not read yet; undefined when the system does not report it. */
  unread(): number | undefined;
  /** Bytes accepted by `write` that still wait in our own memory. */
  buffered(): number;
  /**
   * Called when the backlog changes. `held` are the bytes that wait in the writer and in `buffered`; `unread` also
   * counts large frames that the kernel has taken.
   */
  backlog(held: number, unread: number): void;
  /**
   * Backpressure: called with true when CROWD or more frames wait for a reading peer, and with false when this ends.
   */
  crowded(crowded: boolean): void;
  /** Called when the peer has more unread bytes than allowed. */
  overflow(): void;
}

/** Output that a writer hands over to another: the frames that wait, and the callback for when none waits. */
export interface WaitingOutput {
  readonly waiting: readonly { readonly bytes: Uint8Array; readonly newestOnly: boolean }[];
  readonly onEmpty: (() => void) | undefined;
}

/**
 * Interval of the later polls (ms), and time for which the peer is polled in turns of the event loop before them (ms).
 * Later polls are rarer: a peer that has not read by then is not running, and polling may use the processor that it
 * waits for.
 */
const POLL_MS = 2;
const EAGER_POLL_MS = 0.5;
const MAX_TURNS = 16;
/**
 * Turns after which the peer is checked: its answer to a frame arrives in our next turn, and is processed before the
 * check.
 */
const TURNS_TO_TALK = 2;
/**
 * Delay after the peer has taken the bytes (ms). The peer may still be inside the read that took them, and a frame that
 * follows too closely would end in the same read. The rest of the read is a few instructions of the kernel, which end
 * within this delay even on a busy machine.
 */
const SETTLE_MS = 0.25;
/**
 * Time after which a peer that has not read a frame counts as slow (ms); it then gets the waiting frames in as few
 * writes as possible.
 */
const SLOW_MS = 250;
/** Number of waiting frames from which the peer's next requests are not read, because their answers would only wait. */
const CROWD = 16;
/**
 * Maximum number of waiting frames before several share a write, of which `discord-rpc` loses all but the first. The
 * limit is larger than a crowd plus the answers to 64 requests in flight.
 */
const MAX_WAITING = 96;
/** Maximum size of a write that several frames share (bytes): a larger write would hold the frames in memory twice. */
const MAX_WRITE_BYTES = 64 * 1024;

/**
 * Minimum size of a large frame (bytes). A large frame counts as unread until the peer has read it, not only until the
 * kernel has taken it. Otherwise the bridge would read requests from peers that do not read, as long as the kernel's
 * buffer has room.
 */
const LARGE_FRAME = 16 * 1024;
/** Delay of the first check for unread large frames, and maximum delay of later checks, which become rarer (ms). */
const FIRST_CHECK_MS = 50;
const LAST_CHECK_MS = 1000;

/**
 * Progress of the peer: `behind` while bytes are unread, `reading` while it may still be inside the read that took the
 * last bytes, `done` after that.
 */
type Progress = 'behind' | 'reading' | 'done' | 'unknown';

type Pace =
  | { readonly kind: 'idle' }
  | { readonly kind: 'polling'; readonly since: number; readonly timer: NodeJS.Timeout }
  /** The peer is checked in a later turn of the event loop, `turns` after the last check. */
  | { readonly kind: 'watching'; readonly since: number; readonly turns: number; readonly due: number }
  /** The peer is slow, and the writer does not wait for it until it has read everything. */
  | { readonly kind: 'slow' }
  | { readonly kind: 'stopped' };

const IDLE: Pace = { kind: 'idle' };
const SLOW: Pace = { kind: 'slow' };
const STOPPED: Pace = { kind: 'stopped' };

/**
 * Sends each frame with one write, and the next frame only after the peer has read the previous one: several widely
 * used clients parse a single frame per read and discard the rest.
 */
export class PacedWriter {
  readonly #sink: PacedSink;
  readonly #maxBytes: number;
  readonly #watch: TurnWatch;
  #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  readonly #newestOnly = new NewestOnly();
  #pace: Pace = IDLE;
  /** Time of the last write, or of the last check that found unread bytes. */
  #busyAt = -Infinity;
  /** Whether the peer has sent something since then and has nothing unread, so that its read has ended. */
  #received = false;
  readonly #blindGap = new BlindGap();
  #toldHeld = 0;
  #toldUnread = 0;
  #crowded = false;
  readonly #burst = new Burst();
  #isPumpDue = false;
  #onEmpty: (() => void) | undefined;
  /** Large frames that were written and that the peer has not read, as far as we know. */
  #large: { readonly bytes: number; readonly check: NodeJS.Timeout } | undefined;

  /** `watch` is the checker that all writers of an endpoint share, so that one check per turn serves them all. */
  constructor(sink: PacedSink, maxBytes: number, watch = new TurnWatch()) {
    this.#sink = sink;
    this.#maxBytes = maxBytes;
    this.#watch = watch;
  }

  /** Adds a frame. With `newestOnly`, a newer such frame replaces it if the peer does not read. */
  push(frame: Uint8Array, newestOnly = false): void {
    if (this.#pace.kind === 'stopped') return;
    if (this.#waiting.length === 0) this.#burst.begin(this.#busyAt);
    this.#waiting.push(frame);
    this.#waitingBytes += frame.byteLength;
    // When a check of the peer is scheduled already, a further frame does not cause an immediate check.
    const isWatched = this.#pace.kind === 'watching' && !this.#received && !this.#isShared;
    if (isWatched) this.#notify();
    else if (this.#burst.defers(this.#waiting.length)) this.#pumpLater();
    else this.pump();
    // The frame is copied if it is part of a larger buffer, which it would otherwise retain while it waits.
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

  /**
   * Records that the peer has sent something. When nothing is unread, its read has ended by the time the answer is
   * sent.
   */
  received(): void {
    // Before the first write nothing can be unread.
    const unread = this.#busyAt === -Infinity ? 0 : this.#unread();
    if (unread === 0) this.#received = true;
    else if (unread === undefined) this.#blindGap.received();
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

  /** Sends the frames that may be sent now. Call it also when the sink has room again. */
  pump(): void {
    this.#drive();
    this.#notify();
  }

  /** Sends the frames after the current chunk is processed, so that the answers to its requests share a write. */
  #pumpLater(): void {
    this.#notify();
    if (this.#isPumpDue) return;
    this.#isPumpDue = true;
    process.nextTick(() => {
      this.#isPumpDue = false;
      this.pump();
    });
  }

  #thin(): void {
    const left = this.#newestOnly.thinned(this.#waiting);
    if (left === this.#waiting) return;
    this.#waiting = left;
    this.#waitingBytes = bytesOf(left);
    this.#notify();
  }

  /** Waiting bytes without the frame at the front, because one frame may be larger than the limit of unread bytes. */
  get #heldBehindFront(): number {
    const isWriting = this.#sink.buffered() > 0;
    return this.#waitingBytes - (isWriting ? 0 : (this.#waiting[0]?.byteLength ?? 0));
  }

  get #isShared(): boolean {
    return this.#waiting.length > MAX_WAITING || this.#burst.shares(this.#waiting.length);
  }

  #notify(): void {
    // A slow peer gets all waiting frames in one write, so it does not have to be stopped from sending.
    const crowded = this.#isPolling && this.#waiting.length >= CROWD && !this.#burst.isFlood;
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
        this.#write(this.#burst.isDeep && this.#isShared ? this.#waiting.length : 1);
        // The check is scheduled in a later turn, so that the peer's input is processed first.
        if (received && this.#waiting.length > 0) return this.#check(performance.now(), TURNS_TO_TALK);
      } else if ((progress === 'behind' && this.#pace.kind === 'slow') || this.#isShared) {
        this.#write(this.#waiting.length);
      } else {
        this.#poll(progress);
        return;
      }
    }
    // No frame waits, so the next push checks the peer at once instead of relying on an old check.
    if (this.#waiting.length === 0 && this.#isPolling) this.#setPace(IDLE);
    if (this.#waiting.length === 0 && this.#sink.buffered() === 0) {
      const done = this.#onEmpty;
      this.#onEmpty = undefined;
      done?.();
    }
  }

  /** Stops, and returns the output that another writer has to continue. */
  handOver(): WaitingOutput {
    const waiting = this.#waiting.map((bytes) => ({ bytes, newestOnly: this.#newestOnly.has(bytes) }));
    this.stop();
    return { waiting, onEmpty: this.#onEmpty };
  }

  /** Drops all waiting frames. */
  stop(): void {
    this.#setPace(STOPPED);
    this.#forgetLarge();
    this.#waiting = [];
    this.#waitingBytes = 0;
  }

  #progress(): Progress {
    // The unread bytes were queried when the peer last sent something, and nothing was written since.
    if (this.#received) return 'done';
    const now = performance.now();
    const unread = this.#unread();
    if (unread === undefined)
      return this.#blindGap.isOver(now - this.#busyAt, this.#waiting.length) ? 'done' : 'unknown';
    if (unread === 0) return now - this.#busyAt >= SETTLE_MS ? 'done' : 'reading';
    this.#busy(now);
    return 'behind';
  }

  #unread(): number | undefined {
    const unread = this.#sink.unread();
    if (unread === undefined || unread === 0) this.#forgetLarge();
    return unread;
  }

  /** Counts `bytes` of large frames as unread until the peer has read them; checks again after `ms` milliseconds. */
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

  /** Writes at least one and at most `count` waiting frames in one write. */
  #write(count: number): void {
    const now = performance.now();
    this.#blindGap.wrote(now - this.#busyAt);
    this.#busy(now);
    if (count > 1 && this.#waiting.length > 1) return this.#writeShared(count);
    const frame = this.#waiting.shift();
    if (frame === undefined) return;
    if (this.#waiting.length > 0) this.#burst.add(1, this.#waiting.length);
    this.#send(frame, largeBytes(frame));
  }

  #writeShared(count: number): void {
    let bytesTogether = 0;
    const tooLarge = this.#waiting.findIndex((frame) => {
      bytesTogether += frame.byteLength;
      return bytesTogether > MAX_WRITE_BYTES;
    });
    const frames = this.#waiting.splice(0, tooLarge === -1 ? count : Math.min(count, Math.max(1, tooLarge)));
    this.#burst.add(frames.length, this.#waiting.length);
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

  /**
   * Runs a scheduled check. `turn` is the turn of the event loop for which the check was scheduled; a check that was
   * replaced by a later schedule is ignored.
   */
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
