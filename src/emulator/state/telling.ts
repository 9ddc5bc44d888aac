/** Whoever wants to be told. */
type Listener<Event> = (event: Event) => void;

/** Tells events one after the other: one that a listener causes is told after those that wait already. */
export class Telling {
  #waiting: (() => void)[] = [];
  #telling = false;

  /** Puts something to be told behind all that waits. */
  add(tell: () => void): void {
    this.#waiting.push(tell);
  }

  /** Tells what waits, unless that is being done already. */
  run(): void {
    if (this.#telling) return;
    this.#telling = true;
    try {
      // Grows while it is gone through.
      for (const tell of this.#waiting) tell();
    } finally {
      this.#waiting = [];
      this.#telling = false;
    }
  }
}

/** Those who listen to one sort of event. One that throws disturbs nobody. */
export class Listeners<Event> {
  readonly #listeners = new Set<Listener<Event>>();
  readonly #failed: (event: Event, error: unknown) => void;

  constructor(failed: (event: Event, error: unknown) => void) {
    this.#failed = failed;
  }

  get size(): number {
    return this.#listeners.size;
  }

  /** The returned function ends it. */
  add(listener: Listener<Event>): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  tell(event: Event): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener(event);
      } catch (error) {
        this.#failed(event, error);
      }
    }
  }
}
