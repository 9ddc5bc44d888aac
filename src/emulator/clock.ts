import { SettingError } from './errors.ts';
import { earliestId, latestId } from './snowflake.ts';

/** Where time comes from. */
export interface Clock {
  /** Milliseconds since the Unix epoch. Wall time, because what expires may outlive the process. */
  now(): number;
  /** Calls `callback` once after `ms` milliseconds; the returned function cancels it. */
  setTimeout(callback: () => void, ms: number): () => void;
}

/** The clock of the machine. Its timers do not keep the process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  setTimeout: (callback, ms) => {
    const timer = setTimeout(callback, ms);
    timer.unref();
    return () => clearTimeout(timer);
  },
};

/** Longer than this no timer of Node waits (ms). */
const LONGEST_WAIT = 2 ** 31 - 1;

interface Timer {
  readonly callback: () => void;
  /** When it is due by this clock. */
  due: number;
  /** Takes it off the clock behind. */
  cancel: () => void;
}

/** What a clock shows. */
export interface ClockStatus {
  /** ISO 8601. */
  readonly now: string;
  readonly frozen: boolean;
  /** How far it is ahead of the machine's, in milliseconds; negative when it is behind. */
  readonly ahead_ms: number;
}

/**
 * The time of the emulator, which every part of it goes by: that of the machine until somebody sets it. Moved forward,
 * it runs every timer on the way at its own time, in order. Set back, it leaves each timer as long as it had left.
 * Frozen, it stands, and no timer runs until it is moved.
 */
export class EmulatorClock implements Clock {
  readonly #machine: Clock;
  readonly #timers = new Set<Timer>();
  #state: { readonly frozenAt: number } | { readonly ahead: number } = { ahead: 0 };

  constructor(machine: Clock) {
    this.#machine = machine;
  }

  now(): number {
    return 'frozenAt' in this.#state ? this.#state.frozenAt : this.#machine.now() + this.#state.ahead;
  }

  setTimeout(callback: () => void, ms: number): () => void {
    const timer: Timer = { callback, due: this.now() + ms, cancel: () => {} };
    this.#timers.add(timer);
    this.#arm(timer, ms);
    return () => {
      timer.cancel();
      this.#timers.delete(timer);
    };
  }

  status(): ClockStatus {
    const now = this.now();
    return {
      now: new Date(now).toISOString(),
      frozen: 'frozenAt' in this.#state,
      ahead_ms: now - this.#machine.now(),
    };
  }

  /** Shows another time, in milliseconds since the Unix epoch. @throws SettingError for one that no id can say. */
  set(time: number): void {
    if (!(time >= earliestId && time <= latestId)) {
      const range = `${new Date(earliestId).toISOString()} to ${new Date(latestId).toISOString()}`;
      throw new SettingError('time', `must be from ${range}, which is what ids can say`);
    }
    this.#moving(() => {
      const back = this.now() - time;
      if (back > 0) for (const timer of this.#timers) timer.due -= back;
      for (let next = this.#next(time); next !== undefined; next = this.#next(time)) {
        this.#timers.delete(next);
        this.#show(Math.max(this.now(), next.due));
        next.callback();
      }
      this.#show(time);
    });
  }

  /** Goes so many milliseconds on. @throws SettingError when that is back, or too far. */
  advance(ms: number): void {
    if (!(ms >= 0)) throw new SettingError('time', 'a clock is advanced forward; set it to go back');
    this.set(this.now() + ms);
  }

  /** Stands from now on. */
  freeze(): void {
    this.#moving(() => {
      this.#state = { frozenAt: this.now() };
    });
  }

  /** Goes on from where it stands. */
  run(): void {
    this.#moving(() => {
      this.#state = { ahead: this.now() - this.#machine.now() };
    });
  }

  /** Shows the time of the machine again, and runs. */
  reset(): void {
    this.set(this.#machine.now());
    this.#moving(() => {
      this.#state = { ahead: 0 };
    });
  }

  /** The first timer that is due by a time, of those that are due at once the one that was set first. */
  #next(time: number): Timer | undefined {
    let first: Timer | undefined;
    for (const timer of this.#timers) {
      if (timer.due <= time && (first === undefined || timer.due < first.due)) first = timer;
    }
    return first;
  }

  #show(time: number): void {
    this.#state = 'frozenAt' in this.#state ? { frozenAt: time } : { ahead: time - this.#machine.now() };
  }

  /** Does what changes the time, with every timer off the clock behind meanwhile. */
  #moving(change: () => void): void {
    for (const timer of this.#timers) timer.cancel();
    try {
      change();
    } finally {
      for (const timer of this.#timers) {
        timer.cancel();
        this.#arm(timer, Math.max(0, timer.due - this.now()));
      }
    }
  }

  #arm(timer: Timer, left: number): void {
    if ('frozenAt' in this.#state) return;
    const wait = Math.min(left, LONGEST_WAIT);
    timer.cancel = this.#machine.setTimeout(() => {
      if (wait < left) return this.#arm(timer, left - wait);
      this.#timers.delete(timer);
      timer.callback();
    }, wait);
  }
}

const DURATION = /^(?:(\d{1,6})d)?(?:(\d{1,9})h)?(?:(\d{1,9})m)?(?:(\d{1,12})s)?(?:(\d{1,15})ms)?$/;
const UNITS = [86_400_000, 3_600_000, 60_000, 1000, 1] as const;

/** A duration such as `2h`, `1d12h` or `500ms`, in milliseconds. @throws SettingError */
export function parseDuration(text: string): number {
  const parts = text === '' ? null : DURATION.exec(text);
  if (parts === null) throw new SettingError('time', 'must be a duration such as 90s, 2h, 1d12h or 500ms');
  return UNITS.reduce((sum, unit, index) => sum + unit * Number(parts[index + 1] ?? 0), 0);
}

const MOMENT = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2}))?$/;

/** A time in ISO 8601 with its zone, or a day in UTC, in milliseconds since the Unix epoch. @throws SettingError */
export function parseMoment(text: string): number {
  const time = MOMENT.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time)) {
    throw new SettingError(
      'time',
      'must be a time such as 2030-01-31T12:00:00Z, or a day such as 2030-01-31',
    );
  }
  return time;
}
