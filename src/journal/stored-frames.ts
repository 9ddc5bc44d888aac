import { declaredMembers, type FrameDeclarations } from './declared.ts';
import type { Direction, JournalEntry } from './entry.ts';
import { textWithoutSecrets } from './without-secrets.ts';

/** Size of a block of memory that stores texts one after the other (bytes). */
const SLAB_BYTES = 64 * 1024;
/**
 * Maximum size of a text in a shared slab (bytes). A larger text gets its own memory, because a slab is occupied until
 * its last text is forgotten.
 */
const MAX_SHARED_BYTES = 8 * 1024;
/** Bit for the direction `out`, above the bits of all opcodes. */
const OUT = 1 << 16;
/** Bit for a frame of a session that the operator opened. */
const BY_HAND = 1 << 17;

/** Memory with texts in it. */
interface Slab {
  readonly memory: Buffer;
  /** Number of the newest entry with a text in this slab. */
  last: number;
}

/**
 * Frames of a journal, stored in columns. One object and one text per frame would live just long enough for the garbage
 * collector to copy them and scan them later, which costs a busy bridge more than the rest of the journal. A slot is a
 * number below `slots`; callers must forget a slot before they set it again.
 */
export class StoredFrames {
  readonly #at: Float64Array;
  readonly #opcode: Uint32Array;
  readonly #bytes: Uint32Array;
  readonly #from: Uint32Array;
  readonly #length: Uint32Array;
  readonly #session: (string | undefined)[] = [];
  readonly #slab: (Slab | undefined)[] = [];
  /** Slabs in the order in which they were filled; the last one is being filled. */
  readonly #slabs: Slab[] = [];
  #used = SLAB_BYTES;
  readonly #declarations: FrameDeclarations | undefined;

  /** With `declarations`, undeclared fields are replaced by their kind and length on reading. */
  constructor(slots: number, declarations?: FrameDeclarations) {
    this.#declarations = declarations;
    this.#at = new Float64Array(slots);
    this.#opcode = new Uint32Array(slots);
    this.#bytes = new Uint32Array(slots);
    this.#from = new Uint32Array(slots);
    this.#length = new Uint32Array(slots);
  }

  /**
   * Stores the frame with the entry number `seq`. Entries with numbers below `first` are forgotten. `bytes` is the
   * length as sent.
   */
  set(
    slot: number,
    seq: number,
    first: number,
    { session, direction, opcode, bytes, at, text, byHand }: FrameFacts,
  ): void {
    this.#at[slot] = at;
    this.#opcode[slot] = opcode | (direction === 'out' ? OUT : 0) | (byHand ? BY_HAND : 0);
    this.#bytes[slot] = bytes;
    this.#session[slot] = session;
    const length = text.byteLength;
    const slab = length > MAX_SHARED_BYTES ? ownSlab(length) : this.#room(length, first);
    const from = length > MAX_SHARED_BYTES ? 0 : this.#used;
    slab.memory.set(text, from);
    slab.last = seq;
    if (length <= MAX_SHARED_BYTES) this.#used += length;
    this.#slab[slot] = slab;
    this.#from[slot] = from;
    this.#length[slot] = length;
  }

  /** The entry without secrets. */
  read(slot: number, seq: number): Extract<JournalEntry, { readonly kind: 'frame' }> {
    const packed = this.#opcode[slot] ?? 0;
    const bytes = this.#bytes[slot] ?? 0;
    const direction = (packed & OUT) === 0 ? 'in' : 'out';
    const opcode = packed % OUT;
    return {
      kind: 'frame',
      session: this.sessionOf(slot),
      direction,
      opcode,
      text: this.#textOf(slot, bytes, { opcode, direction }),
      bytes,
      ...((packed & BY_HAND) === 0 ? {} : { byHand: true }),
      seq,
      at: this.#at[slot] ?? 0,
    };
  }

  /** Session of the frame in this place. */
  sessionOf(slot: number): string {
    return this.#session[slot] ?? '';
  }

  /** The body of the frame in this place as it was sent; undefined if it was too large to be stored. */
  body(slot: number): Uint8Array | undefined {
    const [from = 0, length = 0] = [this.#from[slot], this.#length[slot]];
    if (length < (this.#bytes[slot] ?? 0)) return undefined;
    return this.#slab[slot]?.memory.subarray(from, from + length);
  }

  #textOf(slot: number, bytes: number, frame: Pick<FrameFacts, 'opcode' | 'direction'>): string {
    const [from = 0, length = 0] = [this.#from[slot], this.#length[slot]];
    if (length < bytes) return `(JSON, ${bytes} bytes)`;
    const text = this.#slab[slot]?.memory.toString('utf8', from, from + length) ?? '';
    const declarations = this.#declarations;
    return declarations === undefined
      ? textWithoutSecrets(text)
      : declaredMembers(text, (payload) => declarations(frame, payload));
  }

  /** Releases a place, whose frame will not be read again. */
  forget(slot: number): void {
    this.#session[slot] = undefined;
    this.#slab[slot] = undefined;
  }

  /**
   * A slab with room for `length` bytes. The oldest slab is reused when all its frames are forgotten; otherwise a new
   * one is created.
   */
  #room(length: number, first: number): Slab {
    const filling = this.#slabs.at(-1);
    if (filling !== undefined && this.#used + length <= SLAB_BYTES) return filling;
    const [oldest] = this.#slabs;
    const next =
      oldest !== undefined && oldest.last < first
        ? (this.#slabs.shift() as Slab)
        : { memory: Buffer.allocUnsafeSlow(SLAB_BYTES), last: 0 };
    this.#slabs.push(next);
    this.#used = 0;
    return next;
  }
}

/**
 * The stored fields of a frame. `text` is UTF-8, and empty for a frame that is too large; `bytes` is the length as
 * sent.
 */
export interface FrameFacts {
  readonly session: string;
  readonly direction: Direction;
  readonly opcode: number;
  readonly bytes: number;
  readonly at: number;
  readonly text: Uint8Array;
  /** Whether the operator opened the session by hand. */
  readonly byHand: boolean;
}

function ownSlab(length: number): Slab {
  return { memory: Buffer.allocUnsafeSlow(length), last: 0 };
}
