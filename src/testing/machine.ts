import { type MachineClock, systemClock } from '../emulator/kernel/clock.ts';

/**
 * Machine clock of a private bridge. Its wall time cannot be set, but the timers that protect the user (sign-in
 * addresses, browsers, open pages) can be advanced.
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

  /** Advances {@link monotonic} by `ms` milliseconds. */
  skip(ms: number): void {
    this.#skipped += ms;
  }
}
