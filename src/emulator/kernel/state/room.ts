import { Holding } from './holding.ts';
import { bytesOf } from './row-bytes.ts';

/** Memory of a row's entries in its table and its indexes, in bytes: an entry, its keys, its slots. */
export const ENTRY_BYTES = 350;

/** Limits in bytes. */
export interface RoomLimits {
  /** From here on no operation that adds rows may begin, and derived data is released. */
  readonly soft: number;
  /** No transaction adds rows beyond this. */
  readonly hard: number;
  /** For all rows together: those in force, those of the reset snapshot, and those of a state that is being read. */
  readonly whole: number;
}

/** No limits. */
export const ENDLESS: RoomLimits = {
  soft: Number.POSITIVE_INFINITY,
  hard: Number.POSITIVE_INFINITY,
  whole: Number.POSITIVE_INFINITY,
};

/** Remedy for too little memory. */
export const MORE_MEMORY = 'start it with more: NODE_OPTIONS=--max-old-space-size=MEGABYTES';

/** Bytes as text in MiB. */
export function formatMebibytes(bytes: number): string {
  return `${Math.round(bytes / (1024 * 1024))} MiB`;
}

/** Counted bytes at one moment. */
export interface RoomUse {
  readonly used: number;
  readonly aside: number;
  readonly reserved: number;
  /** Bytes of all rows that have been removed since the beginning. */
  readonly removed: number;
}

/** Bytes that a transaction with changes or removals may add beyond the hard limit, for its log records. */
const CLEARING_BYTES = 8 * 1024;
/** Limit of these additions together, as a share of the bytes between the hard limit and the whole. */
const CLEARING_SHARE = 1 / 3;
/** Share of the whole that releasable holdings always have, so that not every change aborts an export of a full state. */
const YIELDING_SHARE = 1 / 16;

/** The limit is reached, or would be: nothing has been changed. */
export class NoRoomError extends Error {
  readonly code = 'FOOTBRIDGE_NO_ROOM';

  constructor({ used, aside, reserved, limits }: Pick<Room, 'used' | 'aside' | 'reserved' | 'limits'>) {
    const besides = aside === 0 ? '' : `, ${formatMebibytes(aside)} more for a reset`;
    const read = reserved === 0 ? '' : `, ${formatMebibytes(reserved)} for a state that is being read`;
    super(
      `The emulator keeps about ${formatMebibytes(used)} of records${besides}${read}, and has memory for ${formatMebibytes(limits.soft)}; delete ` +
        `some, such as messages, reset the emulator, or ${MORE_MEMORY}`,
    );
    this.name = 'NoRoomError';
  }
}

/** Memory of a state: its rows (estimated), and derived data that can be rebuilt, such as an index. */
export class Room {
  readonly limits: RoomLimits;
  #used = 0;
  #aside = 0;
  #lent = 0;
  #removed = 0;
  /** Memory for rows outside the state, each with its release callback if it has one. */
  readonly #holdings = new Map<Holding, (() => void) | undefined>();
  /** Rows of the snapshot for a reset. */
  #retained: ReadonlySet<object> = new Set();
  #short: (() => void) | undefined;

  constructor(limits: RoomLimits = ENDLESS) {
    this.limits = limits;
  }

  /** Bytes of rows in force. */
  get used(): number {
    return this.#used;
  }

  /** Bytes of rows of the reset snapshot that are not in force. */
  get aside(): number {
    return this.#aside;
  }

  /** Bytes of states that are being read, with their rows that have left the state in force since. */
  get reserved(): number {
    return this.#held((giveWay) => giveWay === undefined);
  }

  /** Bytes that a state which is being read may take in addition. */
  get available(): number {
    return Math.max(0, this.limits.whole - this.#firm);
  }

  /** Bytes that can still be lent. */
  get free(): number {
    const { soft, whole } = this.limits;
    return Math.max(0, Math.min(soft - this.#used, whole - this.#firm) - this.#lent);
  }

  /** Counted bytes now. */
  get use(): RoomUse {
    return { used: this.#used, aside: this.#aside, reserved: this.reserved, removed: this.#removed };
  }

  /** Bytes that cannot be released. */
  get #firm(): number {
    return this.#used + this.#aside + this.reserved;
  }

  /** Starts to count memory outside the state; `giveWay` is called where it must be released for lack of memory. */
  hold(giveWay?: () => void): Holding {
    const holding = new Holding(this.#removed);
    this.#holdings.set(holding, giveWay);
    return holding;
  }

  /** Ends a holding; may be called more than once. */
  release(holding: Holding): void {
    this.#holdings.delete(holding);
  }

  /** Counts bytes of a single record, which a reset snapshot never counts; negative for removed ones. */
  add(bytes: number): void {
    this.#used += bytes;
  }

  /** Counts a row that comes into force, with its entries. */
  enter(row: object, bytes: number): void {
    this.#used += bytes;
    if (this.#retained.has(row)) this.#aside -= bytes - ENTRY_BYTES;
  }

  /** Counts a row that is no longer in force. */
  leave(row: object, bytes: number): void {
    this.#used -= bytes;
    this.#removed += bytes;
    if (this.#retained.has(row)) this.#aside += bytes - ENTRY_BYTES;
  }

  /** Replaces the rows of the reset snapshot; a row that is in force as well is counted once. */
  keep(rows: Iterable<{ readonly row: object; readonly isInForce: boolean }>): void {
    const retained = new Set<object>();
    this.#aside = 0;
    for (const { row, isInForce } of rows) {
      retained.add(row);
      if (!isInForce) this.#aside += bytesOf(row);
    }
    this.#retained = retained;
  }

  /** Takes bytes for derived data; false where there are too few. */
  borrow(bytes: number): boolean {
    if (bytes > this.free) return false;
    this.#lent += bytes;
    return true;
  }

  giveBack(bytes: number): void {
    this.#lent -= bytes;
  }

  /** Sets the callback that returns lent bytes where rows need them. */
  onShort(giveUp: () => void): void {
    this.#short = giveUp;
  }

  /** Releases holdings and lent bytes where they and the rows are too much together. */
  settle(): void {
    const { soft, whole } = this.limits;
    for (const [, giveWay] of this.#holdings) {
      const yielding = this.#held((other) => other !== undefined);
      if (yielding <= YIELDING_SHARE * whole || this.#firm + this.#lent + yielding <= whole) break;
      giveWay?.();
    }
    if (this.#lent === 0) return;
    if (this.#used + this.#lent > soft || this.#firm + this.#lent > whole) this.#short?.();
  }

  /** Restores the count of removed rows after a transaction that was undone. */
  takeBack({ removed }: RoomUse): void {
    this.#removed = removed;
  }

  /** Must be called before an operation that adds rows. @throws NoRoomError */
  need(): void {
    if (this.#used >= this.limits.soft || this.available === 0) throw new NoRoomError(this);
  }

  /** Must be called before a transaction is committed. `before` is the use at its start. @throws NoRoomError */
  check(before: RoomUse): void {
    if (this.#used > before.used && this.#used > this.limits.hard) throw new NoRoomError(this);
    this.checkWhole(before);
  }

  /** Whether a transaction with changes or removals may be committed, although it may add a little. */
  isCleared(before: RoomUse): boolean {
    const { hard, whole } = this.limits;
    const added = this.#used - before.used;
    return added <= 0 || (added <= CLEARING_BYTES && this.#used <= hard + CLEARING_SHARE * (whole - hard));
  }

  /** The same as {@link check} for a state that replaces another, however full either is. @throws NoRoomError */
  checkWhole(before: RoomUse): void {
    const all = this.#firm;
    if (all > before.used + before.aside + before.reserved && all > this.limits.whole)
      throw new NoRoomError(this);
  }

  #held(which: (giveWay: (() => void) | undefined) => boolean): number {
    let bytes = 0;
    for (const [holding, giveWay] of this.#holdings)
      if (which(giveWay)) bytes += holding.bytes(this.#removed);
    return bytes;
  }
}
