/** Object with a check in a later turn of the event loop. */
export interface Watched {
  check(turn: number): void;
}

/** Runs scheduled checks once per turn of the event loop; all checks share one immediate. */
export class TurnWatch {
  #turn = 0;
  /** Scheduled checks by turn. */
  readonly #due = new Map<number, Watched[]>();

  /** Schedules a check of `watched` after `turns` turns (at least one). Returns the number of that turn. */
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
    // A check that is added during this turn runs in a later turn, so that the peers' input is processed before it.
    const isLast = this.#due.size === 0;
    if (now) for (const watched of now) watched.check(this.#turn);
    if (!isLast) setImmediate(() => this.#check());
  }
}
