import type { MachineClock } from '../../kernel/clock.ts';

interface Entry {
  /** Times of the prompts shown within the last minute. */
  prompts: number[];
  /** Denials in a row. */
  denials: number;
  /** No new prompt before this time. */
  quietUntil: number;
}

const minute = 60_000;
/** The pause after the first denial in a row, in milliseconds, unless told otherwise. */
const firstPause = 15_000;
const longestPause = 600_000;

/**
 * Limits how often a person is asked. Keys name who asks: a process, an application. Each key gets a few
 * prompts a minute, and after a denial a pause that doubles from 15 seconds to 10 minutes. They are minutes of the person,
 * whatever the emulator's clock shows.
 */
export class PromptThrottle {
  readonly #machine: MachineClock;
  readonly #perMinute: number;
  readonly #pauseMs: number;
  readonly #entries = new Map<string, Entry>();

  /** @param pauseMs the first pause; 0 is none, however often somebody says no */
  constructor(machine: MachineClock, perMinute: number, pauseMs: number = firstPause) {
    this.#machine = machine;
    this.#perMinute = perMinute;
    this.#pauseMs = pauseMs;
  }

  /** Milliseconds until every key may prompt again; 0 is now. */
  wait(keys: readonly string[]): number {
    const now = this.#machine.monotonic();
    return Math.max(0, ...keys.map((key) => this.#waitOf(key, now)));
  }

  #waitOf(key: string, now: number): number {
    const entry = this.#entries.get(key);
    if (entry === undefined) return 0;
    const recent = entry.prompts.filter((time) => time > now - minute);
    const oldest = recent[0];
    const window = recent.length >= this.#perMinute && oldest !== undefined ? oldest + minute - now : 0;
    return Math.max(entry.quietUntil - now, window);
  }

  /** Counts a prompt that is now shown. */
  prompted(keys: readonly string[]): void {
    const now = this.#machine.monotonic();
    this.#forget(now);
    for (const key of keys) {
      const entry = this.#entry(key);
      entry.prompts = [...entry.prompts.filter((time) => time > now - minute), now];
    }
  }

  /** Starts or doubles the pause. */
  denied(keys: readonly string[]): void {
    const now = this.#machine.monotonic();
    for (const key of keys) {
      const entry = this.#entry(key);
      entry.quietUntil = now + Math.min(this.#pauseMs * 2 ** entry.denials, longestPause);
      entry.denials += 1;
    }
  }

  /** A yes ends the row of denials. */
  allowed(keys: readonly string[]): void {
    for (const key of keys) {
      const entry = this.#entry(key);
      entry.denials = 0;
      entry.quietUntil = 0;
    }
  }

  #entry(key: string): Entry {
    let entry = this.#entries.get(key);
    if (entry === undefined) {
      entry = { prompts: [], denials: 0, quietUntil: 0 };
      this.#entries.set(key, entry);
    }
    return entry;
  }

  /** Drops keys that have been quiet for twice the longest pause. */
  #forget(now: number): void {
    for (const [key, entry] of this.#entries) {
      const last = Math.max(entry.quietUntil, ...entry.prompts);
      if (last < now - 2 * longestPause) this.#entries.delete(key);
    }
  }
}
