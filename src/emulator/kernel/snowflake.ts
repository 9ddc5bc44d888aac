/** Epoch of snowflakes: the start of 2015 (ms since the Unix epoch). */
const epoch = 1_420_070_400_000;

/** Earliest time that a snowflake can encode, in milliseconds since the Unix epoch. */
export const earliestId = epoch;
/** Latest time that a snowflake can encode, in milliseconds since the Unix epoch. */
export const latestId = epoch + 2 ** 41 - 1;

/** Creation time of a snowflake, in milliseconds since the Unix epoch. */
export function timeOf(id: string): number {
  return Number(BigInt(id) >> 22n) + epoch;
}

/** Smallest snowflake of a time; `time` is in milliseconds since the Unix epoch. */
export function idAt(time: number): string {
  return String(BigInt(Math.max(0, Math.floor(time) - epoch)) << 22n);
}

/** Whether one snowflake is smaller than another. */
export function isBefore(a: string, b: string): boolean {
  return a.length === b.length ? a < b : a.length < b.length;
}

/** Number of times the clock may go back before uniqueness of ids depends on `taken` alone. */
const ROUNDS = 1024n;

/** Source of unique snowflakes. */
export class Snowflakes {
  #last = 0n;
  /** Number of backward steps of the clock, stored in the upper half of the bits below the time. */
  #round = 0n;

  /** A snowflake of the time `now` (ms since the Unix epoch), or the next free snowflake. */
  next(now: number, taken: (id: string) => boolean = () => false): string {
    const first = BigInt(Math.max(0, Math.floor(now) - epoch)) << 22n;
    // The clock went back, so a row with this time may have existed and been deleted, while its id is still in a log or
    // a file.
    if (first >> 22n < this.#last >> 22n) this.#round = (this.#round + 1n) % ROUNDS;
    // Within the same millisecond, the search starts after the last id, so that used ids are not tried again.
    let id = this.#last >> 22n === first >> 22n ? this.#last : first | (this.#round << 12n);
    do id += 1n;
    while (taken(id.toString()));
    this.#last = id;
    return id.toString();
  }
}
