import type { MachineClock } from '../../../kernel/clock.ts';

/** A page that waits asks again every 2 s: one that has not for so long is closed, led elsewhere or cut off (ms). */
const AWAY_MS = 10_000;

/** The page of a person who waits for an answer: what it asked for is asked as long as it is there. */
export class WaitingPage {
  readonly #machine: MachineClock;
  readonly #gone = new AbortController();
  #cancel = (): void => {};

  constructor(machine: MachineClock) {
    this.#machine = machine;
    this.seen();
  }

  /** Aborts when it is gone. */
  get signal(): AbortSignal {
    return this.#gone.signal;
  }

  seen(): void {
    this.#cancel();
    this.#cancel = this.#machine.setTimeout(() => this.leave(), AWAY_MS);
  }

  /** Withdraws what it asked for. */
  leave(): void {
    this.end();
    this.#gone.abort();
  }

  /** There is an answer, for which it need not be there. */
  end(): void {
    this.#cancel();
  }
}
