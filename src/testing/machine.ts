import { type MachineClock, systemClock } from '../emulator/kernel/clock.ts';

/**
 * The clock of the machine for a bridge of its own: its wall time is nobody's to move, but what guards a person (sign-in addresses,
 * browsers, open pages) may be told that more time has gone by.
 */
export class TestMachine implements MachineClock {
  #skipped = 0;
  readonly guard: MachineClock = systemClock;

  now(): number {
    return systemClock.now();
  }

  monotonic(): number {
    return systemClock.monotonic() + this.#skipped;
  }

  setTimeout(callback: () => void, ms: number): () => void {
    return systemClock.setTimeout(callback, ms);
  }

  /** So many milliseconds have gone by, for all that goes by {@link monotonic}. */
  skip(ms: number): void {
    this.#skipped += ms;
  }
}
