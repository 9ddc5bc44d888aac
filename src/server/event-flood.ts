/** Events of a core in one second; voice in a large call makes a few hundred. */
const MOST_PER_SECOND = 5000;

/** Bounds how many events a core may have dispatched, so that one which emits without end leaves time for the rest. */
export class EventFlood {
  #second = Number.NEGATIVE_INFINITY;
  #count = 0;

  /** Counts one event; `now` in ms of a monotonic clock. `first too many` once for each second with too many. */
  take(now: number): 'go' | 'first too many' | 'too many' {
    if (now - this.#second >= 1000) {
      this.#second = now;
      this.#count = 0;
    }
    this.#count += 1;
    if (this.#count <= MOST_PER_SECOND) return 'go';
    return this.#count === MOST_PER_SECOND + 1 ? 'first too many' : 'too many';
  }
}
