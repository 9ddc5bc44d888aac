/** Somebody who waits for a turn of the event loop. */
export interface Watched {
  check(turn: number): void;
}

/** Lets all who wait look once a turn of the event loop, with one immediate for all of them. */
export class TurnWatch {
  #turn = 0;
  /** Who looks in which turn. */
  readonly #due = new Map<number, Watched[]>();

  /** `watched` looks so many turns from now, one or more. Returns the number of that turn. */
  add(watched: Watched, turns: number): number {
    if (this.#due.size === 0) setImmediate(() => this.#check());
    const due = this.#turn + turns;
    const all = this.#due.get(due);
    if (all) all.push(watched);
    else this.#due.set(due, [watched]);
    return due;
  }

  #check(): void {
    this.#turn += 1;
    const now = this.#due.get(this.#turn);
    this.#due.delete(this.#turn);
    // Whoever is added while these look waits for a turn of its own: what peers sent comes in between.
    const isLast = this.#due.size === 0;
    if (now) for (const watched of now) watched.check(this.#turn);
    if (!isLast) setImmediate(() => this.#check());
  }
}
