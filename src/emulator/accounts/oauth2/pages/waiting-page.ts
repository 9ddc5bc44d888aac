import type { MachineClock } from '../../../kernel/clock.ts';

/** Time (ms) after the last reload at which a waiting page counts as closed. An open page reloads every 2 s. */
const AWAY_MS = 10_000;

/** A page whose user waits for an outcome. Its request stays open as long as the page does. */
export class WaitingPage {
  readonly #machine: MachineClock;
  readonly #removed = new AbortController();
  #cancel = (): void => {};

  constructor(machine: MachineClock) {
    this.#machine = machine;
    this.seen();
  }

  /** Aborts when the page has been closed. */
  get signal(): AbortSignal {
    return this.#removed.signal;
  }

  seen(): void {
    this.#cancel();
    this.#cancel = this.#machine.setTimeout(() => this.leave(), AWAY_MS);
  }

  /** Withdraws the request. */
  leave(): void {
    this.end();
    this.#removed.abort();
  }

  /** Stops watching the page when its request is settled. */
  end(): void {
    this.#cancel();
  }
}
