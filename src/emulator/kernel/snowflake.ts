/** Millisecond 0 of every snowflake: the first of 2015. */
const epoch = 1_420_070_400_000;

/** The first moment that an id can say, in milliseconds since the Unix epoch. */
export const earliestId = epoch;
/** The last one. */
export const latestId = epoch + 2 ** 41 - 1;

/** When a snowflake was made, in milliseconds since the Unix epoch. */
export function timeOf(id: string): number {
  return Number(BigInt(id) >> 22n) + epoch;
}

/** The smallest id of a moment, in milliseconds since the Unix epoch. */
export function idAt(time: number): string {
  return String(BigInt(Math.max(0, Math.floor(time) - epoch)) << 22n);
}

/** How often the time may go back until ids depend on who knows which are taken. */
const ROUNDS = 1024n;

/** Makes snowflakes, none of them twice. */
export class Snowflakes {
  #last = 0n;
  /** How often the time has gone back: it stands in the upper half of what is below the moment. */
  #round = 0n;

  /** A snowflake of this moment (milliseconds since the Unix epoch), or the next one that is not taken. */
  next(now: number, taken: (id: string) => boolean = () => false): string {
    const first = BigInt(Math.max(0, Math.floor(now) - epoch)) << 22n;
    // What was given in this moment the last time may be gone meanwhile, and its id still stands in a log or a file.
    if (first >> 22n < this.#last >> 22n) this.#round = (this.#round + 1n) % ROUNDS;
    // While the clock stands, what was given before is not tried again.
    let id = this.#last >> 22n === first >> 22n ? this.#last : first | (this.#round << 12n);
    do id += 1n;
    while (taken(id.toString()));
    this.#last = id;
    return id.toString();
  }
}
