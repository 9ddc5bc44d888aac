import type { MachineClock } from '../../../kernel/clock.ts';

/** Timeout of a waiting page in milliseconds: it reloads every 2 s unless it was closed, navigated away or disconnected. */
const AWAY_MS = 10_000;

/** The page of a user who waits for an outcome; its request stays open while the page does. */
export class WaitingPage {
  readonly #machine: MachineClock;
  readonly #gone = new AbortController();
  #cancel = (): void => {};

  constructor(machine: MachineClock) {
    this.#machine = machine;
    this.seen();
  }

  /** Aborts when the page has been closed. */
  get signal(): AbortSignal {
    return this.#gone.signal;
  }

  seen(): void {
    this.#cancel();
    this.#cancel = this.#machine.setTimeout(() => this.leave(), AWAY_MS);
  }

  /** Withdraws the request. */
  leave(): void {
    this.end();
    this.#gone.abort();
  }

  /** Stops watching the page, because the request is settled. */
  end(): void {
    this.#cancel();
  }
}
