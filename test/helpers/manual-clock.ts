import type { MachineClock } from '../../src/emulator/kernel/clock.ts';

/** A clock that only moves when told to; due timers run in order while it moves. */
export class ManualClock implements MachineClock {
  #now: number;
  /** What was jumped over. */
  #jumped = 0;
  #timers: { at: number; callback: () => void }[] = [];

  constructor(now = 1_800_000_000_000) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  monotonic(): number {
    return this.#now - this.#jumped;
  }

  setTimeout(callback: () => void, ms: number): () => void {
    const timer = { at: this.#now + ms, callback };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  /** How many timers are pending. */
  get pending(): number {
    return this.#timers.length;
  }

  advance(ms: number): void {
    const end = this.#now + ms;
    for (;;) {
      const due = this.#timers.filter((timer) => timer.at <= end).sort((a, b) => a.at - b.at)[0];
      if (due === undefined) break;
      this.#timers = this.#timers.filter((timer) => timer !== due);
      this.#now = Math.max(this.#now, due.at);
      due.callback();
    }
    this.#now = end;
  }

  /** Sets the time without running timers, as a wrong clock being corrected does. */
  jump(ms: number): void {
    this.#now += ms;
    this.#jumped += ms;
  }
}
