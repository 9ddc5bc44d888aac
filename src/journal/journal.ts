import type { Direction, EntryKind, HttpPart, JournalEntry, Passed } from './entry.ts';
import { type PackedText, TextStore } from './packed-text.ts';

/** Entries that are kept, unless told otherwise. */
const MOST_ENTRIES = 5_000;
/** What all entries together may take (bytes), unless told otherwise. */
const MOST_BYTES = 8 * 1024 * 1024;
/** What an entry takes besides its texts (bytes), about. */
const ENTRY_BYTES = 200;

/** How much a journal keeps. */
export interface JournalLimits {
  readonly entries?: number;
  readonly bytes?: number;
}

/** What of a journal is wanted. */
export interface JournalQuery {
  /** Entries after this number; 0 is from the oldest that is kept. */
  readonly after?: number;
  /** At most so many; default all. */
  readonly limit?: number;
  readonly session?: string;
  readonly kinds?: readonly EntryKind[];
}

/** What is kept: a frame with its text outside of the heap, which else every collection would copy. */
type Kept = Exclude<JournalEntry, { readonly kind: 'frame' }> | KeptFrame | FrameEntry;
type FrameEntry = Extract<JournalEntry, { readonly kind: 'frame' }>;
type KeptFrame = Omit<FrameEntry, 'text'> & { readonly text: PackedText };

/** A part of a journal. */
export interface JournalPage {
  readonly entries: readonly JournalEntry[];
  /** What to ask `after` next: also where nothing matched. */
  readonly next: number;
  /** How many entries after `after` were gone before they could be read. */
  readonly dropped: number;
}

/**
 * The last things that passed the bridge, in memory and bounded. What enters has no secrets any more; see
 * `without-secrets.ts`, which whoever adds something asks.
 */
export class Journal {
  readonly #mostEntries: number;
  readonly #mostBytes: number;
  /** A ring: the entry with the number n stands at n modulo its length. */
  readonly #ring: (Kept | undefined)[] = [];
  /** What each of them takes: to count it again costs as much as the rest. */
  readonly #sizes: number[] = [];
  readonly #texts = new TextStore();
  readonly #listeners = new Set<(entry: JournalEntry) => void>();
  /** Reading it from `performance` each time costs more than an addition. */
  readonly #origin = performance.timeOrigin;
  #first = 1;
  #last = 0;
  #bytes = 0;
  /** When it began (ms since the Unix epoch): one that begins anew counts from 1 again. */
  readonly begun = this.#now();

  constructor({ entries = MOST_ENTRIES, bytes = MOST_BYTES }: JournalLimits = {}) {
    this.#mostEntries = entries;
    this.#mostBytes = bytes;
  }

  /** Number of the newest entry; 0 before there is one. */
  get last(): number {
    return this.#last;
  }

  /** Entries that are kept now. */
  get size(): number {
    return this.#last - this.#first + 1;
  }

  /** What they take, about (bytes). */
  get bytes(): number {
    return this.#bytes;
  }

  /** Writes down what passed; the oldest entries make room. The object becomes the entry: give one of its own. */
  add(passed: Passed): void {
    // No copy: this is done for each request.
    const entry = passed as Passed & { seq: number; at: number };
    entry.seq = this.#last + 1;
    entry.at = this.#now();
    this.#keep(entry);
  }

  /** The same for a frame of so many bytes, whose text was packed by {@link pack}: many frames may share one. */
  addFrame(session: string, direction: Direction, opcode: number, bytes: number, text: PackedText): void {
    this.#keep({
      kind: 'frame',
      session,
      direction,
      opcode,
      text,
      bytes,
      seq: this.#last + 1,
      at: this.#now(),
    });
  }

  /** Keeps a copy of a text in UTF-8 for {@link addFrame}. */
  pack(text: Uint8Array): PackedText {
    return this.#texts.pack(text);
  }

  #keep(entry: Kept): void {
    if (this.size === this.#mostEntries) this.#forget();
    this.#last += 1;
    const at = this.#last % this.#mostEntries;
    const size = sizeOf(entry);
    this.#ring[at] = entry;
    this.#sizes[at] = size;
    this.#bytes += size;
    while (this.#bytes > this.#mostBytes && this.size > 1) this.#forget();
    if (this.#listeners.size === 0) return;
    const told = unpacked(entry);
    for (const listener of this.#listeners) listener(told);
  }

  /** Reads entries, oldest first. */
  read({ after = 0, limit = Number.POSITIVE_INFINITY, session, kinds }: JournalQuery = {}): JournalPage {
    const entries: JournalEntry[] = [];
    let next = Math.max(after, this.#first - 1);
    const dropped = next - after;
    while (next < this.#last && entries.length < limit) {
      next += 1;
      const entry = this.#ring[next % this.#mostEntries];
      if (entry === undefined || !isWanted(entry, session, kinds)) continue;
      entries.push(unpacked(entry));
    }
    return { entries, next, dropped };
  }

  /** Tells of each entry as it is added, until the returned function is called. A listener must not throw. */
  follow(listener: (entry: JournalEntry) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #now(): number {
    return this.#origin + performance.now();
  }

  #forget(): void {
    const at = this.#first % this.#mostEntries;
    this.#bytes -= this.#sizes[at] ?? 0;
    this.#ring[at] = undefined;
    this.#first += 1;
  }
}

/** As a reader sees it. */
function unpacked(entry: Kept): JournalEntry {
  if (entry.kind !== 'frame' || typeof entry.text === 'string') return entry as JournalEntry;
  return { ...entry, text: entry.text.read() };
}

function isWanted(
  entry: Kept,
  session: string | undefined,
  kinds: readonly EntryKind[] | undefined,
): boolean {
  if (session !== undefined && !('session' in entry && entry.session === session)) return false;
  return kinds === undefined || kinds.includes(entry.kind);
}

/** What an entry takes, about (bytes). */
function sizeOf(entry: Kept): number {
  switch (entry.kind) {
    case 'frame':
    case 'gateway':
    case 'webhook':
      return ENTRY_BYTES + entry.text.length;
    case 'http':
      return 3 * ENTRY_BYTES + entry.path.length + partSize(entry.request) + partSize(entry.response);
    default:
      return ENTRY_BYTES;
  }
}

function partSize({ headers, body = '' }: HttpPart): number {
  let size = body.length;
  for (const name in headers) size += name.length + (headers[name]?.length ?? 0);
  return size;
}
