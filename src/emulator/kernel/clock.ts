import { SettingError } from './errors.ts';
import { earliestId, latestId } from './snowflake.ts';

/** Source of time. */
export interface Clock {
  /** Milliseconds since the Unix epoch. Wall time, because what it expires may outlive the process. */
  now(): number;
  /** Calls `callback` once after `ms` milliseconds; the returned function cancels it. */
  setTimeout(callback: () => void, ms: number): () => void;
}

/** Clock of a machine. */
export interface MachineClock extends Clock {
  /**
   * Milliseconds since an arbitrary moment. It never goes back when a clock is set, so consent waits are measured by
   * it.
   */
  monotonic(): number;
  /** The same clock without the time that a test has added, where that differs: timeouts of connections use it. */
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

/** Limit of a timer of Node (ms). */
const MAX_TIMER_MS = 2 ** 31 - 1;
/** Interval at which a deadline is checked, because the machine's clock may be set and the machine may sleep (ms). */
const DEADLINE_CHECK_MS = 30_000;

interface Timer {
  readonly callback: () => void;
  /** Time by this clock at which it is due. */
  due: number;
  /** True for a fixed time; false for a duration, which moves when the clock is set back. */
  readonly isDeadline: boolean;
  /** Removes it from the underlying clock. */
  cancel: () => void;
}

/** A future time with a callback. */
export interface Deadline {
  readonly over: boolean;
  cancel(): void;
}

/** True while a moving clock must wait, because a callback began work that takes real time. */
type Pauses = () => boolean;
const never: Pauses = () => false;
const callNow = (callback: () => void): void => callback();

/** State of a clock. */
export interface ClockStatus {
  /** ISO 8601. */
  readonly now: string;
  readonly frozen: boolean;
  /** Difference to the clock of the machine in milliseconds; negative when this one is behind. */
  readonly ahead_ms: number;
}

/**
 * Time of the emulator, used by all its parts. It follows the machine until it is set. Moved forward, it runs each
 * timer on the way at its due time, in order. Set back, it leaves each timer its remaining duration, and a deadline
 * its time. Frozen, it stands still, and no timer runs until it is moved.
 */
export class EmulatorClock implements Clock {
  readonly #machine: Clock;
  readonly #ring: (callback: () => void) => void;
  readonly #timers = new Set<Timer>();
  /** Timers that were set while the clock is being moved. */
  #arrived: Timer[] | undefined;
  #isClosed = false;
  #state: { readonly frozenAt: number } | { readonly ahead: number } = { ahead: 0 };

  /** With the status of another clock, this one continues from it; `ring` runs the callbacks that are due. */
  constructor(machine: Clock, initial?: ClockStatus, ring: (callback: () => void) => void = callNow) {
    this.#machine = machine;
    this.#ring = ring;
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
   * Calls `callback` at that time (ms since the Unix epoch): at once when it has passed, and at the latest half a
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

  status(): ClockStatus {
    // Read once: the machine's clock advances between two reads.
    const machine = this.#machine.now();
    const frozen = 'frozenAt' in this.#state;
    const ahead = 'frozenAt' in this.#state ? this.#state.frozenAt - machine : this.#state.ahead;
    return { now: new Date(machine + ahead).toISOString(), frozen, ahead_ms: ahead };
  }

  /**
   * Sets the time, in milliseconds since the Unix epoch. False where `pauses`, called after each timer on the way,
   * returned true: the clock then stands at the due time of that timer. @throws SettingError for a time outside the
   * range of ids.
   */
  set(time: number, pauses: Pauses = never): boolean {
    checkTime(time);
    return this.#moving(() => {
      const back = this.now() - time;
      if (back > 0) for (const timer of this.#timers) if (!timer.isDeadline) timer.due -= back;
      const arrived = this.#runUntil(time, pauses);
      if (arrived) this.#show(time);
      return arrived;
    });
  }

  /**
   * Advances by a number of milliseconds. Where `pauses` returned true on the way, as with {@link set}, the remaining
   * milliseconds; undefined otherwise. @throws SettingError when that is back, or too far.
   */
  advance(ms: number, pauses: Pauses = never): number | undefined {
    if (!(ms >= 0)) throw new SettingError('time', 'a clock is advanced forward; set it to go back');
    const time = this.now() + ms;
    checkTime(time);
    return this.#moving(() => {
      const { ahead } = { ahead: undefined, ...this.#state };
      const arrived = this.#runUntil(time, pauses);
      // By exactly that duration, however long the callbacks took.
      const current = { ahead: 0, ...this.#state };
      if (!arrived) return Math.max(0, ahead === undefined ? time - this.now() : ahead + ms - current.ahead);
      if (ahead === undefined) this.#show(time);
      else this.#state = { ahead: ahead + ms };
      return undefined;
    });
  }

  /** Freezes the clock at its current time. */
  freeze(): void {
    this.#moving(() => {
      this.#state = { frozenAt: this.now() };
    });
  }

  /** Resumes from the frozen time. */
  run(): void {
    if (!('frozenAt' in this.#state)) return;
    const { frozenAt } = this.#state;
    this.#moving(() => {
      this.#state = { ahead: frozenAt - this.#machine.now() };
    });
  }

  /** Follows the machine's clock again. */
  reset(): void {
    this.set(this.#machine.now());
    this.#moving(() => {
      this.#state = { ahead: 0 };
    });
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
      // An earlier callback may have cancelled it.
      if (!this.#timers.delete(timer)) continue;
      this.#show(Math.max(this.now(), timer.due));
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

  #show(time: number): void {
    this.#state = 'frozenAt' in this.#state ? { frozenAt: time } : { ahead: time - this.#machine.now() };
  }

  /** Changes the time with all timers removed from the underlying clock meanwhile. */
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
