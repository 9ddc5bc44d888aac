/** Millisecond 0 of every snowflake: the first of 2015. */
const epoch = 1_420_070_400_000;

/** First moment of an id, in milliseconds since the Unix epoch. */
export const earliestId = epoch;
/** Last moment of an id, in milliseconds since the Unix epoch. */
export const latestId = epoch + 2 ** 41 - 1;

/** Creation time of a snowflake, in milliseconds since the Unix epoch. */
export function timeOf(id: string): number {
  return Number(BigInt(id) >> 22n) + epoch;
}

/** Smallest id of a moment, in milliseconds since the Unix epoch. */
export function idAt(time: number): string {
  return String(BigInt(Math.max(0, Math.floor(time) - epoch)) << 22n);
}

/** Number of times the clock may go back before uniqueness of ids depends on `taken` alone. */
const ROUNDS = 1024n;

/** Source of unique snowflakes. */
export class Snowflakes {
  #last = 0n;
  /** Number of backward steps of the clock: the upper half of the bits below the moment. */
  #round = 0n;

  /** A snowflake of this moment (milliseconds since the Unix epoch), or the next free one. */
  next(now: number, taken: (id: string) => boolean = () => false): string {
    const first = BigInt(Math.max(0, Math.floor(now) - epoch)) << 22n;
    // A row from the first time at this moment may be deleted by now, while its id is still in a log or a file.
    if (first >> 22n < this.#last >> 22n) this.#round = (this.#round + 1n) % ROUNDS;
    // While the clock stands still, earlier ids are not tried again.
    let id = this.#last >> 22n === first >> 22n ? this.#last : first | (this.#round << 12n);
    do id += 1n;
    while (taken(id.toString()));
    this.#last = id;
    return id.toString();
  }
}
