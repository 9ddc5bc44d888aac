import type { Frame } from '../wire/frame.ts';
import type { FrameDeclarations } from './declared.ts';
import type { Direction, EntryKind, HttpPart, JournalEntry, Passed } from './entry.ts';
import { type Original, SentByHand } from './original.ts';
import { StoredFrames } from './stored-frames.ts';

/** Default maximum of stored entries. */
const MAX_ENTRIES = 5_000;
/** Default maximum size of all entries together (bytes). */
const MAX_BYTES = 8 * 1024 * 1024;
/** Default maximum size of a frame whose text is stored. Of a larger frame, only the size is stored (bytes). */
const MAX_TEXT_BYTES = 64 * 1024;
/** Approximate size of an entry without its texts (bytes). */
const ENTRY_BYTES = 200;

/** Bounds of a journal's memory. */
export interface JournalLimits {
  readonly entries?: number;
  readonly bytes?: number;
  /** Maximum size of a frame whose text is stored (bytes). */
  readonly text?: number;
}

/** Selection of a journal's entries. */
export interface JournalQuery {
  /** Number of an entry; the query selects later entries. 0 starts at the oldest stored entry. */
  readonly after?: number;
  /** Maximum number of entries; by default all. */
  readonly limit?: number;
  readonly session?: string;
  readonly kinds?: readonly EntryKind[];
}

/** Placeholder in the ring for a frame, whose fields are stored in columns. */
const FRAME = 'frame' as const;
/**
 * Data from which an entry is created when it is read. Few entries are ever read, and the search for secrets costs more
 * than everything else.
 */
export interface Unread {
  readonly kind: EntryKind;
  readonly session?: string;
  /** Length of its texts. */
  readonly bytes: number;
  /** Creates the entry without secrets; each call returns the same content. */
  render(): Passed;
  /** What was sent, with its secrets; absent for what cannot be sent again. */
  original?(): Original;
}

/** Change of the emulator's clock; times in milliseconds since the Unix epoch, `at` of the machine's clock. */
interface ClockMove {
  readonly from: number;
  readonly to: number;
  readonly frozen: boolean;
  readonly at: number;
}

/** Stands for the text of a frame that is too large to be stored. */
const NO_TEXT = new Uint8Array(0);

/** A part of a journal. */
export interface JournalPage {
  readonly entries: readonly JournalEntry[];
  /** Value of `after` for the next query, also when no entry matched. */
  readonly next: number;
  /** Number of entries after `after` that were removed before they could be read. */
  readonly dropped: number;
}

/**
 * The most recent traffic of the bridge, in bounded memory. Frames and payloads are stored as they were sent. Their
 * secrets are removed on reading, because few of them are ever read. Other entries contain no secrets when they are
 * added.
 */
export class Journal {
  readonly #maxEntries: number;
  readonly #maxBytes: number;
  readonly #maxText: number;
  /** Ring buffer: the entry with the number n is at the index n modulo the maximum number of entries. */
  readonly #ring: (JournalEntry | Unread | typeof FRAME | undefined)[] = [];
  /** Created with the first frame, because bridges in tests usually have few frames. */
  #frames: StoredFrames | undefined;
  /** Sizes of the stored entries, because computing a size again would cost as much as all other work. */
  readonly #sizes: number[] = [];
  /** Times of the entries that are created when they are read (ms since the Unix epoch). */
  readonly #times: number[] = [];
  readonly #listeners = new Set<(entry: JournalEntry) => void>();
  readonly #switched = new Set<() => void>();
  #state: 'on' | 'off' = 'on';
  /** Requests that the operator sends by hand. */
  readonly byHand = new SentByHand();
  readonly #declarations: FrameDeclarations | undefined;
  /** Stored, because reading the origin from `performance` each time costs more than an addition. */
  readonly #origin = performance.timeOrigin;
  /** Change of the emulator's clock that has no entry yet: moves without traffic between them are one entry. */
  #moved: ClockMove | undefined;
  #first = 1;
  #last = 0;
  #bytes = 0;
  #begun = this.#now();

  /** With `declarations`, only the declared fields of frames are shown; of other fields, only kind and length. */
  constructor(
    { entries = MAX_ENTRIES, bytes = MAX_BYTES, text = MAX_TEXT_BYTES }: JournalLimits = {},
    declarations?: FrameDeclarations,
  ) {
    this.#declarations = declarations;
    this.#maxText = text;
    this.#maxEntries = entries;
    this.#maxBytes = bytes;
  }

  /** Start of the journal (ms since the Unix epoch). A new journal numbers its entries from 1 again. */
  get begun(): number {
    return this.#begun;
  }

  /** Whether the journal stores entries. While it is off, callers need not prepare entries. */
  get isOn(): boolean {
    return this.#state === 'on';
  }

  /** Starts or stops recording. Stopping removes all entries. */
  turn(state: 'on' | 'off'): void {
    if (state === this.#state) return;
    this.#state = state;
    if (state === 'off') {
      this.#moved = undefined;
      while (this.size > 0) this.#forget();
      this.#frames = undefined;
      this.#first = 1;
      this.#last = 0;
    } else this.#begun = this.#now();
    for (const listener of this.#switched) listener();
  }

  /** Calls back each time the journal is turned on or off, until the returned function is called. */
  onSwitch(listener: () => void): () => void {
    this.#switched.add(listener);
    return () => this.#switched.delete(listener);
  }

  /** Number of the newest entry; 0 before the first entry. */
  get last(): number {
    return this.#last;
  }

  /** Number of stored entries. */
  get size(): number {
    return this.#last - this.#first + 1;
  }

  /** Approximate size of all stored entries (bytes). */
  get bytes(): number {
    return this.#bytes;
  }

  /**
   * Stores an entry, for which the oldest entries may be removed. The object itself becomes the entry, so the caller
   * must not use it again.
   */
  add(passed: Passed): void {
    if (this.#state === 'off') return;
    if (this.#moved !== undefined) this.#addMove(this.#moved);
    // The object is not copied, because this method runs for each request.
    const entry = passed as Passed & { seq: number; at: number };
    entry.seq = this.#last + 1;
    entry.at = this.#now();
    this.#store(entry);
  }

  /** Stores an entry that is created when it is read. */
  addUnread(unread: Unread): void {
    if (this.#state === 'off') return;
    if (this.#moved !== undefined) this.#addMove(this.#moved);
    const slot = this.#take(unread, ENTRY_BYTES + unread.bytes);
    this.#times[slot] = this.#now();
    if (this.#listeners.size > 0) this.#notify(this.#entryOf(unread, this.#last));
  }

  /** Stores a frame; its body is copied. `byHand` marks a frame of a session that the operator opened. */
  addFrame(session: string, direction: Direction, { opcode, body }: Frame, byHand = false): void {
    if (this.#state === 'off') return;
    if (this.#moved !== undefined) this.#addMove(this.#moved);
    const bytes = body.byteLength;
    const text = bytes > this.#maxText ? NO_TEXT : body;
    const slot = this.#take(FRAME, ENTRY_BYTES + text.byteLength);
    this.#frames ??= new StoredFrames(this.#maxEntries, this.#declarations);
    const facts = { session, direction, opcode, bytes, at: this.#now(), text, byHand };
    this.#frames.set(slot, this.#last, this.#first, facts);
    if (this.#listeners.size > 0) this.#notify(this.#frames.read(slot, this.#last));
  }

  /** Records that the clock of the emulator was set, stopped, or runs again; times in ms since the Unix epoch. */
  clockMoved(from: number, to: number, frozen: boolean): void {
    if (this.#state === 'on') this.#moved = { from: this.#moved?.from ?? from, to, frozen, at: this.#now() };
  }

  /** Ends a change of the clock: the next one is an entry of its own, also without traffic between them. */
  clockRests(): void {
    if (this.#moved !== undefined) this.#addMove(this.#moved);
  }

  #addMove({ from, to, frozen, at }: ClockMove): void {
    this.#moved = undefined;
    const times = { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
    this.#store({ kind: 'clock', ...times, frozen, seq: this.#last + 1, at });
  }

  #store(entry: JournalEntry): void {
    this.#take(entry, sizeOf(entry));
    this.#notify(entry);
  }

  /** Makes room for an entry of `size` bytes, and returns its slot. */
  #take(entry: JournalEntry | Unread | typeof FRAME, size: number): number {
    if (this.size === this.#maxEntries) this.#forget();
    this.#last += 1;
    const slot = this.#last % this.#maxEntries;
    this.#ring[slot] = entry;
    this.#sizes[slot] = size;
    this.#bytes += size;
    while (this.#bytes > this.#maxBytes && this.size > 1) this.#forget();
    return slot;
  }

  #notify(entry: JournalEntry): void {
    for (const listener of this.#listeners) listener(entry);
  }

  /** Reads entries, oldest first. */
  read({ after = 0, limit = Number.POSITIVE_INFINITY, session, kinds }: JournalQuery = {}): JournalPage {
    if (this.#moved !== undefined) this.#addMove(this.#moved);
    const entries: JournalEntry[] = [];
    let next = Math.max(after, this.#first - 1);
    const dropped = next - after;
    while (next < this.#last && entries.length < limit) {
      next += 1;
      const entry = this.#wanted(next, session, kinds);
      if (entry !== undefined) entries.push(entry);
    }
    return { entries, next, dropped };
  }

  /** An entry, and what was sent with its secrets; undefined for an entry that is not stored (any longer). */
  original(
    seq: number,
  ): { readonly entry: JournalEntry; readonly original: Original | undefined } | undefined {
    if (seq < this.#first || seq > this.#last) return undefined;
    const slot = seq % this.#maxEntries;
    const stored = this.#ring[slot];
    const entry = this.#wanted(seq);
    if (stored === undefined || entry === undefined) return undefined;
    if (stored === FRAME) return { entry, original: { kind: 'frame', body: this.#frames?.body(slot) } };
    return { entry, original: 'render' in stored ? stored.original?.() : undefined };
  }

  /** Calls the listener with each new entry, until the returned function is called. A listener must not throw. */
  follow(listener: (entry: JournalEntry) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #now(): number {
    return this.#origin + performance.now();
  }

  /** The entry with this number, if it matches the query. Only matching frames are searched for secrets. */
  #wanted(seq: number, session?: string, kinds?: readonly EntryKind[]): JournalEntry | undefined {
    const slot = seq % this.#maxEntries;
    const entry = this.#ring[slot];
    if (entry !== FRAME)
      return entry && isWanted(entry, session, kinds) ? this.#entryOf(entry, seq) : undefined;
    const frame = { kind: FRAME, session: this.#frames?.sessionOf(slot) } as const;
    return isWanted(frame, session, kinds) ? this.#frames?.read(slot, seq) : undefined;
  }

  #entryOf(stored: JournalEntry | Unread, seq: number): JournalEntry {
    if (!('render' in stored)) return stored;
    return { ...stored.render(), seq, at: this.#times[seq % this.#maxEntries] ?? 0 };
  }

  #forget(): void {
    const slot = this.#first % this.#maxEntries;
    this.#bytes -= this.#sizes[slot] ?? 0;
    if (this.#ring[slot] === FRAME) this.#frames?.forget(slot);
    this.#ring[slot] = undefined;
    this.#first += 1;
  }
}

function isWanted(
  entry: { readonly kind: EntryKind; readonly session?: string | undefined },
  session?: string,
  kinds?: readonly EntryKind[],
): boolean {
  if (session !== undefined && entry.session !== session) return false;
  return kinds === undefined || kinds.includes(entry.kind);
}

/** Approximate size of an entry (bytes). */
function sizeOf(entry: JournalEntry): number {
  switch (entry.kind) {
    case 'frame':
    case 'gateway':
    case 'webhook':
      return ENTRY_BYTES + entry.text.length;
    case 'http':
      return 3 * ENTRY_BYTES + entry.path.length + partSize(entry.request) + partSize(entry.response);
    case 'refused':
      return 2 * ENTRY_BYTES + (entry.origin?.length ?? 0) + entry.remedy.length;
    default:
      return ENTRY_BYTES;
  }
}

function partSize({ headers, body = '' }: HttpPart): number {
  let size = body.length;
  for (const [name, value] of Object.entries(headers)) size += name.length + value.length;
  return size;
}
