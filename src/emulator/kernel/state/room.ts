import { Holding } from './holding.ts';
import { bytesOf } from './row-bytes.ts';

/** What a place of a row in its table and in its indexes takes, in bytes: an entry, its keys, its slots. */
export const ENTRY_BYTES = 350;

/** How many bytes there may be. */
export interface RoomLimits {
  /** From here on nothing may be begun that adds to them, and what can be made anew gives way. */
  readonly soft: number;
  /** No transaction adds to them beyond this. */
  readonly hard: number;
  /** For all rows together: those in force, those kept to go back to, and those of a state that is being read. */
  readonly whole: number;
}

/** Without an end. */
export const ENDLESS: RoomLimits = {
  soft: Number.POSITIVE_INFINITY,
  hard: Number.POSITIVE_INFINITY,
  whole: Number.POSITIVE_INFINITY,
};

/** What to do about too little memory. */
export const MORE_MEMORY = 'start it with more: NODE_OPTIONS=--max-old-space-size=MEGABYTES';

/** Bytes for a person. */
export function shownBytes(bytes: number): string {
  return `${Math.round(bytes / (1024 * 1024))} MiB`;
}

/** How much is counted at a moment. */
export interface RoomUse {
  readonly used: number;
  readonly aside: number;
  readonly reserved: number;
  /** Of all rows that have left since the beginning. */
  readonly gone: number;
}

/** A transaction that takes something away may add so many bytes beyond the hard limit, for what notes it. */
const CLEARING_BYTES = 8 * 1024;
/** Until so much of what lies between the hard limit and the whole is used up. */
const CLEARING_SHARE = 1 / 3;
/** What those who give way may hold of the whole in any case, so that not every change ends an export of a full state. */
const YIELDING_SHARE = 1 / 16;

/** More is kept than may be, or would be: nothing has been changed. */
export class NoRoomError extends Error {
  readonly code = 'FOOTBRIDGE_NO_ROOM';

  constructor({ used, aside, reserved, limits }: Pick<Room, 'used' | 'aside' | 'reserved' | 'limits'>) {
    const besides = aside === 0 ? '' : `, ${shownBytes(aside)} besides to go back to with a reset`;
    const read = reserved === 0 ? '' : `, ${shownBytes(reserved)} for a state that is being read`;
    super(
      `The emulator keeps about ${shownBytes(used)} of records${besides}${read}, and has memory for ${shownBytes(limits.soft)}; delete ` +
        `some, such as messages, reset the emulator, or ${MORE_MEMORY}`,
    );
    this.name = 'NoRoomError';
  }
}

/** The memory of a state: what its rows take, estimated, and what is made of them and could be made anew, such as an index. */
export class Room {
  readonly limits: RoomLimits;
  #used = 0;
  #aside = 0;
  #lent = 0;
  #gone = 0;
  /** What others have of rows; with how they are made to do without, where they can. */
  readonly #holdings = new Map<Holding, (() => void) | undefined>();
  /** The rows to go back to. */
  #kept: ReadonlySet<object> = new Set();
  #short: (() => void) | undefined;

  constructor(limits: RoomLimits = ENDLESS) {
    this.limits = limits;
  }

  /** Bytes of rows in force. */
  get used(): number {
    return this.#used;
  }

  /** Bytes of rows that are kept to go back to and are not in force. */
  get aside(): number {
    return this.#aside;
  }

  /** Bytes of states that are being read, with the rows in them that have left the state in force since. */
  get reserved(): number {
    return this.#held((giveWay) => giveWay === undefined);
  }

  /** Bytes that a state which is being read may take beside all of these. */
  get available(): number {
    return Math.max(0, this.limits.whole - this.#firm);
  }

  /** Bytes that may still be lent. */
  get free(): number {
    const { soft, whole } = this.limits;
    return Math.max(0, Math.min(soft - this.#used, whole - this.#firm) - this.#lent);
  }

  /** What is counted at the moment. */
  get use(): RoomUse {
    return { used: this.#used, aside: this.#aside, reserved: this.reserved, gone: this.#gone };
  }

  /** What nobody can do without. */
  get #firm(): number {
    return this.#used + this.#aside + this.reserved;
  }

  /** Begins to count what somebody has of rows; one with `giveWay` is asked to let go where there is no memory for it. */
  hold(giveWay?: () => void): Holding {
    const holding = new Holding(this.#gone);
    this.#holdings.set(holding, giveWay);
    return holding;
  }

  /** Ends that; may be called more than once. */
  release(holding: Holding): void {
    this.#holdings.delete(holding);
  }

  /** Counts bytes of a record that is never kept to go back to; negative for those that are gone. */
  add(bytes: number): void {
    this.#used += bytes;
  }

  /** Counts a row that is in force from now on, with its place. */
  enter(row: object, bytes: number): void {
    this.#used += bytes;
    if (this.#kept.has(row)) this.#aside -= bytes - ENTRY_BYTES;
  }

  /** The same for one that no longer is. */
  leave(row: object, bytes: number): void {
    this.#used -= bytes;
    this.#gone += bytes;
    if (this.#kept.has(row)) this.#aside += bytes - ENTRY_BYTES;
  }

  /** Counts these, and no others, as kept to go back to; a row that is in force as well is there once. */
  keep(rows: Iterable<{ readonly row: object; readonly isInForce: boolean }>): void {
    const kept = new Set<object>();
    this.#aside = 0;
    for (const { row, isInForce } of rows) {
      kept.add(row);
      if (!isInForce) this.#aside += bytesOf(row);
    }
    this.#kept = kept;
  }

  /** Takes bytes for what can be made anew; false where there is no room for them. */
  borrow(bytes: number): boolean {
    if (bytes > this.free) return false;
    this.#lent += bytes;
    return true;
  }

  giveBack(bytes: number): void {
    this.#lent -= bytes;
  }

  /** Says who is asked to give back what was lent, where rows need it. */
  onShort(giveUp: () => void): void {
    this.#short = giveUp;
  }

  /** Has what can be done without given back where rows and it together are too much. */
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

  /** Forgets which rows have left in a transaction that was taken back. */
  takeBack({ gone }: RoomUse): void {
    this.#gone = gone;
  }

  /** To be asked before something is begun that adds rows. @throws NoRoomError */
  need(): void {
    if (this.#used >= this.limits.soft || this.available === 0) throw new NoRoomError(this);
  }

  /** To be asked before a transaction counts. `before` is what was there at its beginning. @throws NoRoomError */
  check(before: RoomUse): void {
    if (this.#used > before.used && this.#used > this.limits.hard) throw new NoRoomError(this);
    this.checkWhole(before);
  }

  /** Whether a transaction that takes something away may count, although it may add a little. */
  isCleared(before: RoomUse): boolean {
    const { hard, whole } = this.limits;
    const added = this.#used - before.used;
    return added <= 0 || (added <= CLEARING_BYTES && this.#used <= hard + CLEARING_SHARE * (whole - hard));
  }

  /** The same as {@link check} for a state that is put in the place of another, however full either is. @throws NoRoomError */
  checkWhole(before: RoomUse): void {
    const all = this.#firm;
    if (all > before.used + before.aside + before.reserved && all > this.limits.whole)
      throw new NoRoomError(this);
  }

  #held(which: (giveWay: (() => void) | undefined) => boolean): number {
    let bytes = 0;
    for (const [holding, giveWay] of this.#holdings) if (which(giveWay)) bytes += holding.bytes(this.#gone);
    return bytes;
  }
}
