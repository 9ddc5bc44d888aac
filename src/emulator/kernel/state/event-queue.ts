/** Receives an event. */
type Listener<Event> = (event: Event) => void;

/**
 * Runs notifications one after the other. A notification that a listener causes runs after those already in the queue.
 */
export class EventQueue {
  #waiting: (() => void)[] = [];
  #delivering = false;

  /** Whether a notification is running; if so, a listener makes the current change. */
  get isNotifying(): boolean {
    return this.#delivering;
  }

  /** Adds a notification at the end of the queue. */
  add(notify: () => void): void {
    this.#waiting.push(notify);
  }

  /** Runs the queue, unless it is running already. */
  run(): void {
    if (this.#delivering) return;
    this.#delivering = true;
    try {
      // The loop also runs notifications that are added while it runs.
      for (const notify of this.#waiting) notify();
    } finally {
      this.#waiting = [];
      this.#delivering = false;
    }
  }
}

/** Recovery of a listener after an exception, so that the data it maintains is corrected. */
export interface Recovery {
  /** Name of the listener in the log. */
  readonly name: string;
  /** Rebuilds the listener's data from the current state. */
  recover(): void;
}

/** Exception of a listener, and the outcome of the listener's recovery. */
export interface Failure {
  readonly name: string;
  readonly error: unknown;
  /** Error of the recovery; undefined when the listener recovered and continues from the current state. */
  readonly unrecovered?: unknown;
}

/**
 * Listeners to one kind of event. An exception in one listener does not affect the others; the listener that threw
 * recovers.
 */
export class Listeners<Event> {
  /** Replaced by each change, so that a notification goes on with those that were there when it began. */
  #listeners: readonly { readonly listener: Listener<Event>; readonly recovery: Recovery }[] = [];
  readonly #failed: (failure: Failure) => void;

  constructor(failed: (failure: Failure) => void) {
    this.#failed = failed;
  }

  get size(): number {
    return this.#listeners.length;
  }

  /** Adds a listener; the returned function removes it. */
  add(listener: Listener<Event>, recovery: Recovery): () => void {
    const added = { listener, recovery };
    this.#listeners = [...this.#listeners, added];
    return () => {
      this.#listeners = this.#listeners.filter((one) => one !== added);
    };
  }

  notify(event: Event): void {
    for (const { listener, recovery } of this.#listeners) {
      try {
        listener(event);
      } catch (error) {
        this.#recover(recovery, error);
      }
    }
  }

  /** Recovers all listeners, because an event could not be delivered. */
  lost(error: unknown): void {
    for (const { recovery } of this.#listeners) this.#recover(recovery, error);
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
