/** Somebody who waits for the next turn of the event loop. */
export interface Watched {
  look(): void;
}

/** Lets all who wait look once a turn of the event loop, with one immediate for all of them. */
export class TurnWatch {
  #next = new Set<Watched>();

  /** `watched` looks in the next turn, once, however often it is added until then. */
  add(watched: Watched): void {
    if (this.#next.size === 0) setImmediate(() => this.#look());
    this.#next.add(watched);
  }

  #look(): void {
    const now = this.#next;
    // Whoever is added while these look waits for a turn of its own: what peers sent comes in between.
    this.#next = new Set();
    for (const watched of now) watched.look();
  }
}
