/** Whoever wants to be told. */
type Listener<Event> = (event: Event) => void;

/** Tells events one after the other: one that a listener causes is told after those that wait already. */
export class Telling {
  #waiting: (() => void)[] = [];
  #telling = false;

  /** Whether somebody is being told: what changes now, a listener does. */
  get isTelling(): boolean {
    return this.#telling;
  }

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

/** What is done where a listener has thrown, so that nothing it stands for is wrong without a word. */
export interface Recovery {
  /** What listens, in the words of the log. */
  readonly name: string;
  /** Puts right, by the state as it is now, whatever it has not followed. */
  recover(): void;
}

/** How one that has thrown goes on. */
export interface Failure {
  readonly name: string;
  readonly error: unknown;
  /** What its recovery has thrown; undefined where it goes on from the state as it is. */
  readonly unrecovered?: unknown;
}

/** Those who listen to one sort of event. One that throws disturbs nobody, and recovers. */
export class Listeners<Event> {
  readonly #listeners = new Map<Listener<Event>, Recovery>();
  readonly #failed: (failure: Failure) => void;

  constructor(failed: (failure: Failure) => void) {
    this.#failed = failed;
  }

  get size(): number {
    return this.#listeners.size;
  }

  /** The returned function ends it. */
  add(listener: Listener<Event>, recovery: Recovery): () => void {
    this.#listeners.set(listener, recovery);
    return () => this.#listeners.delete(listener);
  }

  tell(event: Event): void {
    for (const [listener, recovery] of [...this.#listeners]) {
      try {
        listener(event);
      } catch (error) {
        this.#recover(recovery, error);
      }
    }
  }

  /** Nobody could be told of something: all recover. */
  lost(error: unknown): void {
    for (const recovery of [...this.#listeners.values()]) this.#recover(recovery, error);
  }

  #recover(recovery: Recovery, error: unknown): void {
    const { name } = recovery;
    try {
      recovery.recover();
    } catch (unrecovered) {
      return this.#failed({ name, error, unrecovered });
    }
    this.#failed({ name, error });
  }
}
