import { Holding } from './holding.ts';
import { bytesOf } from './row-bytes.ts';
import { RowShares } from './row-shares.ts';

/** Memory of a row's entries in its table and its indexes (bytes): the entry, its keys and its slots. */
export const ENTRY_BYTES = 350;

/** Limits in bytes. */
export interface RoomLimits {
  /** From this use on, no operation that adds rows may begin, and derived data is released. */
  readonly soft: number;
  /** Maximum use after a transaction that adds rows. */
  readonly hard: number;
  /**
   * Maximum for all rows together: those of the current state, of the reset snapshot, and of a state that is being
   * read.
   */
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
  /** Bytes of all rows that have been removed since the state was created. */
  readonly removed: number;
}

/** Bytes that a transaction with changes or removals may add beyond the hard limit, as room for its log records. */
const CLEARING_BYTES = 8 * 1024;
/** Limit of all additions beyond the hard limit, as a share of the bytes between `hard` and `whole`. */
const CLEARING_SHARE = 1 / 3;
/**
 * Share of `whole` that releasable holdings may always use, so that not every change aborts an export of a full state.
 */
const YIELDING_SHARE = 1 / 16;

/** Refusal of a change because the memory limit is, or would be, exceeded. The state is unchanged. */
export class NoRoomError extends Error {
  readonly code = 'FOOTBRIDGE_NO_ROOM';

  constructor({
    used,
    aside,
    reserved,
    limits,
    shares,
  }: Pick<Room, 'used' | 'aside' | 'reserved' | 'limits'> & {
    readonly shares?: Pick<RowShares, 'owner' | 'heldBy' | 'minRowBytes'>;
  }) {
    const owner = shares?.owner;
    const own =
      owner === undefined
        ? ''
        : `; this application or webhook counts for ${formatMebibytes(shares?.heldBy(owner) ?? 0)}, with at least ` +
          `${Math.ceil((shares?.minRowBytes ?? 0) / 1024)} KiB a record`;
    const besides = aside === 0 ? '' : `, ${formatMebibytes(aside)} more for a reset`;
    const read = reserved === 0 ? '' : `, ${formatMebibytes(reserved)} for a state that is being read`;
    super(
      `The emulator keeps about ${formatMebibytes(used)} of records${besides}${read}, and has memory for ${formatMebibytes(limits.soft)}${own}; delete ` +
        `some, such as messages, reset the emulator, or ${MORE_MEMORY}`,
    );
    this.name = 'NoRoomError';
  }
}

/** Memory accounting of a state: its rows (estimated), and derived data that can be rebuilt, such as an index. */
export class Room {
  readonly limits: RoomLimits;
  /** Shares of the owners of rows in the memory up to the soft limit. */
  readonly shares: RowShares;
  #used = 0;
  #aside = 0;
  #lent = 0;
  #removed = 0;
  /** Memory for rows outside the state. Each holding has a release callback if it can be released. */
  readonly #holdings = new Map<Holding, (() => void) | undefined>();
  /** Rows of the snapshot for a reset. */
  #retained: ReadonlySet<object> = new Set();
  #short: (() => void) | undefined;

  constructor(limits: RoomLimits = ENDLESS) {
    this.limits = limits;
    this.shares = new RowShares(limits.soft);
  }

  /** Bytes of rows in force. */
  get used(): number {
    return this.#used;
  }

  /** Bytes of rows of the reset snapshot that are not in the current state. */
  get aside(): number {
    return this.#aside;
  }

  /** Bytes of states that are being read, including shared rows that have left the current state since. */
  get reserved(): number {
    return this.#held((giveWay) => giveWay === undefined);
  }

  /** Bytes that a state which is being read may still use. */
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

  /**
   * Starts to count memory outside the state. `giveWay` is called when this memory must be released because rows need
   * it.
   */
  hold(giveWay?: () => void): Holding {
    const holding = new Holding(this.#removed);
    this.#holdings.set(holding, giveWay);
    return holding;
  }

  /** Ends a holding; may be called more than once. */
  release(holding: Holding): void {
    this.#holdings.delete(holding);
  }

  /**
   * Counts bytes of a single record; a negative number for removed bytes. The reset snapshot does not count single
   * records.
   */
  add(bytes: number): void {
    this.#used += bytes;
  }

  /** Counts a row that enters the current state, with its entries. */
  enter(row: object, bytes: number, owner?: string): void {
    this.#used += bytes;
    this.shares.count(owner, bytes, 1);
    if (this.#retained.has(row)) this.#aside -= bytes - ENTRY_BYTES;
  }

  /** Counts a row that leaves the current state. */
  leave(row: object, bytes: number, owner?: string): void {
    this.#used -= bytes;
    this.shares.count(owner, bytes, -1);
    this.#removed += bytes;
    if (this.#retained.has(row)) this.#aside += bytes - ENTRY_BYTES;
  }

  /** Replaces the rows of the reset snapshot. A row that is also in the current state is counted once. */
  retain(rows: Iterable<{ readonly row: object; readonly isInForce: boolean }>): void {
    const retained = new Set<object>();
    this.#aside = 0;
    for (const { row, isInForce } of rows) {
      retained.add(row);
      if (!isInForce) this.#aside += bytesOf(row);
    }
    this.#retained = retained;
  }

  /** Lends bytes for derived data; false when not enough bytes are free. */
  borrow(bytes: number): boolean {
    if (bytes > this.free) return false;
    this.#lent += bytes;
    return true;
  }

  giveBack(bytes: number): void {
    this.#lent -= bytes;
  }

  /** Sets the callback that returns lent bytes when rows need them. */
  onShort(giveUp: () => void): void {
    this.#short = giveUp;
  }

  /** Releases holdings and lent bytes while the sum of them and the rows exceeds the limits. */
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

  /** Checks that an operation may add rows; must be called before the operation begins. @throws NoRoomError */
  need(): void {
    if (this.#used >= this.limits.soft || this.available === 0 || this.shares.isUsedUp)
      throw new NoRoomError(this);
  }

  /**
   * Checks the use after a transaction; must be called before the commit. `before` is the use at the start of the
   * transaction. @throws NoRoomError
   */
  check(before: RoomUse): void {
    if (this.#used > before.used && this.#used > this.limits.hard) throw new NoRoomError(this);
    if (this.shares.isExceeded) throw new NoRoomError(this);
    this.checkWhole(before);
  }

  /** Whether a transaction with changes or removals may be committed, although it may add up to `CLEARING_BYTES`. */
  isCleared(before: RoomUse): boolean {
    const { hard, whole } = this.limits;
    const added = this.#used - before.used;
    return added <= 0 || (added <= CLEARING_BYTES && this.#used <= hard + CLEARING_SHARE * (whole - hard));
  }

  /**
   * Like {@link check}, but for a state that replaces another: only the limit `whole` applies, and only when the use
   * has grown. @throws NoRoomError
   */
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
