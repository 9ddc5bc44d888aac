import type { MachineClock } from '../../kernel/clock.ts';

interface Entry {
  /** Times of the key's prompts within the last minute. */
  prompts: number[];
  /** Consecutive denials. */
  denials: number;
  /** Earliest time of the next prompt. */
  quietUntil: number;
}

const minute = 60_000;
/** Default pause after the first denial of a series, in milliseconds. */
const firstPause = 15_000;
const maxPauseMs = 600_000;

/**
 * Limits how often the user is prompted. A key identifies a requester, such as a process or an application. Each key
 * may cause a few prompts per minute, and pauses after a denial for 15 seconds, doubling up to 10 minutes. The times
 * are real time, regardless of the emulator's clock.
 */
export class PromptThrottle {
  readonly #machine: MachineClock;
  readonly #perMinute: number;
  readonly #pauseMs: number;
  readonly #entries = new Map<string, Entry>();

  /** @param pauseMs the first pause; with 0, denials cause no pause */
  constructor(machine: MachineClock, perMinute: number, pauseMs: number = firstPause) {
    this.#machine = machine;
    this.#perMinute = perMinute;
    this.#pauseMs = pauseMs;
  }

  /** Milliseconds until every key may prompt again; 0 if every key may prompt now. */
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

  /** Counts a displayed prompt. */
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
      entry.quietUntil = now + Math.min(this.#pauseMs * 2 ** entry.denials, maxPauseMs);
      entry.denials += 1;
    }
  }

  /** Resets the denials. */
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

  /** Drops keys that have been inactive for twice the maximum pause. */
  #forget(now: number): void {
    for (const [key, entry] of this.#entries) {
      const last = Math.max(entry.quietUntil, ...entry.prompts);
      if (last < now - 2 * maxPauseMs) this.#entries.delete(key);
    }
  }
}
