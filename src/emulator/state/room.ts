/** What a place of a row in its table and in its indexes takes, in bytes: an entry, its keys, its slots. */
export const ENTRY_BYTES = 350;

/** How many bytes there may be. */
export interface RoomLimits {
  /** From here on nothing may be begun that adds to them, and what can be made anew gives way. */
  readonly soft: number;
  /** No transaction adds to them beyond this. */
  readonly hard: number;
}

/** Without an end. */
export const ENDLESS: RoomLimits = { soft: Number.POSITIVE_INFINITY, hard: Number.POSITIVE_INFINITY };

/** More is kept than may be, or would be: nothing has been changed. */
export class NoRoomError extends Error {
  readonly code = 'FOOTBRIDGE_NO_ROOM';

  constructor({ used, limits }: Pick<Room, 'used' | 'limits'>) {
    const shown = (bytes: number): string => `${Math.round(bytes / (1024 * 1024))} MiB`;
    super(
      `The emulator keeps about ${shown(used)} of records, and has memory for ${shown(limits.soft)}; delete some, ` +
        'such as messages, reset the emulator, or start it with more: NODE_OPTIONS=--max-old-space-size=MEGABYTES',
    );
    this.name = 'NoRoomError';
  }
}

/** The memory of a state: what its rows take, estimated, and what is made of them and could be made anew, such as an index. */
export class Room {
  readonly limits: RoomLimits;
  #used = 0;
  #lent = 0;
  #short: (() => void) | undefined;

  constructor(limits: RoomLimits = ENDLESS) {
    this.limits = limits;
  }

  /** Bytes of rows. */
  get used(): number {
    return this.#used;
  }

  /** Bytes that may still be lent. */
  get free(): number {
    return Math.max(0, this.limits.soft - this.#used - this.#lent);
  }

  /** Counts bytes of rows; negative for those that are gone. */
  add(bytes: number): void {
    this.#used += bytes;
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

  /** Has what was lent given back where rows and it together are too much. */
  settle(): void {
    if (this.#lent > 0 && this.#used + this.#lent > this.limits.soft) this.#short?.();
  }

  /** To be asked before something is begun that adds rows. @throws NoRoomError */
  need(): void {
    if (this.#used >= this.limits.soft) throw new NoRoomError(this);
  }

  /** To be asked before a transaction counts. `before` is what was used at its beginning. @throws NoRoomError */
  check(before: number): void {
    if (this.#used > before && this.#used > this.limits.hard) throw new NoRoomError(this);
  }
}
