import { SettingError } from './errors.ts';
import { earliestId, latestId } from './snowflake.ts';

/** Source of time. */
export interface Clock {
  /**
   * Milliseconds since the Unix epoch. This is wall time, because objects that expire by it, such as tokens, may
   * outlive the process.
   */
  now(): number;
  /** Calls `callback` once after `ms` milliseconds; the returned function cancels it. */
  setTimeout(callback: () => void, ms: number): () => void;
}

/** Clock of a machine. */
export interface MachineClock extends Clock {
  /**
   * Milliseconds since an arbitrary moment. The value never goes back when the clock is set, so consent timeouts are
   * measured with it.
   */
  monotonic(): number;
  /**
   * Clock for the timeouts of connections: this clock without the time that a test has added. Absent where both are the
   * same.
   */
  readonly guard?: MachineClock;
}

/** Clock of this machine. Its timers do not keep the process alive. */
export const systemClock: MachineClock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  setTimeout: (callback, ms) => {
    const timer = setTimeout(callback, ms);
    timer.unref();
    return () => clearTimeout(timer);
  },
};

/** Maximum duration of a timer in Node (ms). */
const MAX_TIMER_MS = 2 ** 31 - 1;
/** Interval at which a deadline is checked, because the machine's clock may be set and the machine may sleep (ms). */
const DEADLINE_CHECK_MS = 30_000;

interface Timer {
  readonly callback: () => void;
  /** Time of the emulator's clock at which the timer is due (ms). */
  due: number;
  /** True for a fixed time; false for a duration, which moves when the clock is set back. */
  readonly isDeadline: boolean;
  /** Removes the timer from the underlying clock. */
  cancel: () => void;
}

/** A callback that is due at a fixed time. */
export interface Deadline {
  readonly over: boolean;
  cancel(): void;
}

/** Returns true while a moving clock must wait, because a callback began work that takes real time. */
type Pauses = () => boolean;
const never: Pauses = () => false;
const callNow = (callback: () => void): void => callback();

/** State of a clock. */
export interface ClockStatus {
  /** ISO 8601. */
  readonly now: string;
  readonly frozen: boolean;
  /** Difference to the clock of the machine in milliseconds; negative when the emulator's clock is behind. */
  readonly ahead_ms: number;
}

/** The time of a clock that stands, or its difference to the machine's clock (ms). */
type ClockState = { readonly frozenAt: number } | { readonly ahead: number };

/**
 * Time of the emulator, used by all its parts. The clock follows the machine until it is set. Moved forward, it runs
 * each timer on the way at its due time, in order. Set back, it preserves the remaining duration of each timer and the
 * time of each deadline. While the clock is frozen, no timer runs until the clock is moved.
 */
export class EmulatorClock implements Clock {
  readonly #machine: Clock;
  readonly #ring: (callback: () => void) => void;
  readonly #moved: (from: number, to: number, isFrozen: boolean) => void;
  readonly #rests: () => void;
  readonly #timers = new Set<Timer>();
  /** Timers that callbacks set while the clock is being moved. */
  #arrived: Timer[] | undefined;
  #isClosed = false;
  /** Whether automatic skipping of time is off. */
  isLocked = false;
  #state: ClockState = { ahead: 0 };

  /**
   * Continues from `initial`, the status of another clock, if it is present; `ring` runs the callbacks that are due, and
   * `moved` is called with the time before and after whenever the clock jumps, stops or runs again, `rests` before and
   * after each change that was asked for.
   */
  constructor(
    machine: Clock,
    initial?: ClockStatus,
    ring: (callback: () => void) => void = callNow,
    moved: (from: number, to: number, isFrozen: boolean) => void = () => {},
    rests: () => void = () => {},
  ) {
    this.#machine = machine;
    this.#ring = ring;
    this.#moved = moved;
    this.#rests = rests;
    if (initial === undefined) return;
    this.#state = initial.frozen ? { frozenAt: Date.parse(initial.now) } : { ahead: initial.ahead_ms };
  }

  now(): number {
    return 'frozenAt' in this.#state ? this.#state.frozenAt : this.#machine.now() + this.#state.ahead;
  }

  setTimeout(callback: () => void, ms: number): () => void {
    return this.#add({ callback, due: this.now() + ms, isDeadline: false, cancel: () => {} });
  }

  /**
   * Calls `callback` at `time` (ms since the Unix epoch): at once when this time has passed, and at the latest half a
   * minute after the clock of the machine has jumped over it.
   */
  at(time: number, callback: () => void): Deadline {
    const isOver = (): boolean => this.now() >= time;
    const timer: Timer = { callback, due: time, isDeadline: true, cancel: () => {} };
    const wasOver = isOver();
    const cancel = wasOver ? () => {} : this.#add(timer);
    if (wasOver) this.#ring(callback);
    return {
      get over() {
        return isOver();
      },
      cancel,
    };
  }

  /** Time at which the next timer is due (ms since the Unix epoch); undefined without a timer. */
  get next(): number | undefined {
    let next: number | undefined;
    for (const { due } of this.#timers) if (next === undefined || due < next) next = due;
    return next;
  }

  status(): ClockStatus {
    // The machine's clock is read only once, because it advances between two reads.
    const machine = this.#machine.now();
    const frozen = 'frozenAt' in this.#state;
    const ahead = 'frozenAt' in this.#state ? this.#state.frozenAt - machine : this.#state.ahead;
    return { now: new Date(machine + ahead).toISOString(), frozen, ahead_ms: ahead };
  }

  /**
   * Sets the time, in milliseconds since the Unix epoch. `pauses` is called after each timer on the way. When it
   * returns true, the clock stops at the due time of that timer and the result is false. @throws SettingError for a
   * time outside the range of ids.
   */
  set(time: number, pauses: Pauses = never): boolean {
    checkTime(time);
    return this.#moving(() => {
      const back = this.now() - time;
      if (back > 0) for (const timer of this.#timers) if (!timer.isDeadline) timer.due -= back;
      const arrived = this.#runUntil(time, pauses);
      if (arrived) this.#advanceTo(time);
      return arrived;
    });
  }

  /**
   * Advances by a number of milliseconds. Returns undefined, or the remaining milliseconds when `pauses` stopped the
   * clock as with {@link set}. @throws SettingError for a negative number, or a time outside the range of ids.
   */
  advance(ms: number, pauses: Pauses = never): number | undefined {
    if (!(ms >= 0)) throw new SettingError('time', 'a clock is advanced forward; set it to go back');
    const time = this.now() + ms;
    checkTime(time);
    return this.#moving(() => {
      const { ahead } = { ahead: undefined, ...this.#state };
      const arrived = this.#runUntil(time, pauses);
      // The clock advances by exactly `ms`, however long the callbacks took.
      const current = { ahead: 0, ...this.#state };
      if (!arrived) return Math.max(0, ahead === undefined ? time - this.now() : ahead + ms - current.ahead);
      if (ahead === undefined) this.#advanceTo(time);
      else this.#change({ ahead: ahead + ms });
      return undefined;
    });
  }

  /**
   * Freezes the clock at its current time. For an exact time it is set afterwards: after {@link set}, a running clock
   * goes on.
   */
  freeze(): void {
    this.#moving(() => {
      this.#change({ frozenAt: this.now() });
    });
  }

  /** Resumes from the frozen time. */
  run(): void {
    if (!('frozenAt' in this.#state)) return;
    const { frozenAt } = this.#state;
    this.#moving(() => {
      this.#change({ ahead: frozenAt - this.#machine.now() });
    });
  }

  /** Follows the machine's clock again. */
  reset(): void {
    this.set(this.#machine.now());
    this.#moving(() => {
      this.#change({ ahead: 0 });
    });
  }

  /** Makes a change that somebody asked for, which is told apart from what was skipped before and after it. */
  async ask(change: () => Promise<void> | void): Promise<void> {
    this.#rests();
    try {
      await change();
    } finally {
      this.#rests();
    }
  }

  /** Takes a status that the clock had: it stands, follows the machine's clock, or has a distance from it. */
  restore({ now, frozen, ahead_ms }: ClockStatus): void {
    const current = this.status();
    if (!frozen && !current.frozen && current.ahead_ms === ahead_ms) return;
    if (!frozen && ahead_ms === 0) return this.reset();
    if (frozen) this.freeze();
    this.set(frozen ? Date.parse(now) : this.#machine.now() + ahead_ms);
    if (!frozen) this.run();
  }

  /** Cancels all timers and accepts no others. */
  close(): void {
    this.#isClosed = true;
    for (const timer of this.#timers) timer.cancel();
    this.#timers.clear();
  }

  #add(timer: Timer): () => void {
    if (this.#isClosed) return () => {};
    this.#timers.add(timer);
    this.#arrived?.push(timer);
    this.#arm(timer, timer.due - this.now());
    return () => {
      timer.cancel();
      this.#timers.delete(timer);
    };
  }

  /** Runs the timers that are due by a time, in the order of their due times and then of their creation. */
  #runUntil(time: number, pauses: Pauses): boolean {
    const queue = [...this.#timers].filter(({ due }) => due <= time).sort((a, b) => a.due - b.due);
    for (let at = 0; at < queue.length; at += 1) {
      const timer = queue[at] as Timer;
      // An earlier callback may have cancelled this timer.
      if (!this.#timers.delete(timer)) continue;
      this.#advanceTo(Math.max(this.now(), timer.due));
      this.#arrived = [];
      this.#ring(timer.callback);
      for (const late of this.#arrived) {
        if (late.due > time) continue;
        const next = queue.findIndex(({ due }, index) => index > at && due > late.due);
        queue.splice(next === -1 ? queue.length : next, 0, late);
      }
      if (pauses()) return false;
    }
    return true;
  }

  #advanceTo(time: number): void {
    this.#change('frozenAt' in this.#state ? { frozenAt: time } : { ahead: time - this.#machine.now() });
  }

  #change(state: ClockState): void {
    const from = this.now();
    const wasFrozen = 'frozenAt' in this.#state;
    this.#state = state;
    const to = this.now();
    const isFrozen = 'frozenAt' in state;
    if (isFrozen !== wasFrozen || Math.abs(to - from) >= 1) this.#moved(from, to, isFrozen);
  }

  /** Changes the time. All timers are removed from the underlying clock during the change. */
  #moving<T>(change: () => T): T {
    for (const timer of this.#timers) timer.cancel();
    try {
      return change();
    } finally {
      this.#arrived = undefined;
      for (const timer of this.#timers) {
        timer.cancel();
        this.#arm(timer, Math.max(0, timer.due - this.now()));
      }
    }
  }

  #arm(timer: Timer, left: number): void {
    if ('frozenAt' in this.#state) return;
    const wait = Math.min(left, timer.isDeadline ? DEADLINE_CHECK_MS : MAX_TIMER_MS);
    timer.cancel = this.#machine.setTimeout(() => {
      const rest = timer.isDeadline ? timer.due - this.now() : left - wait;
      if (rest > 0) return this.#arm(timer, rest);
      this.#timers.delete(timer);
      this.#ring(timer.callback);
    }, wait);
  }
}

function checkTime(time: number): void {
  if (time >= earliestId && time <= latestId) return;
  const range = `${new Date(earliestId).toISOString()} to ${new Date(latestId).toISOString()}`;
  throw new SettingError('time', `must be from ${range}, which is the range of ids`);
}
