import { SettingError } from './errors.ts';
import { earliestId, latestId } from './snowflake.ts';

/** Where time comes from. */
export interface Clock {
  /** Milliseconds since the Unix epoch. Wall time, because what expires may outlive the process. */
  now(): number;
  /** Calls `callback` once after `ms` milliseconds; the returned function cancels it. */
  setTimeout(callback: () => void, ms: number): () => void;
}

/** The clock of a machine. */
export interface MachineClock extends Clock {
  /** Milliseconds since some moment. It only goes on, whoever sets whichever clock: what guards the person goes by it. */
  monotonic(): number;
  /** The same without what a test has added to it, where that is another: connections are guarded by it. */
  readonly guard?: MachineClock;
}

/** The clock of the machine. Its timers do not keep the process alive. */
export const systemClock: MachineClock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  setTimeout: (callback, ms) => {
    const timer = setTimeout(callback, ms);
    timer.unref();
    return () => clearTimeout(timer);
  },
};

/** Longer than this no timer of Node waits (ms). */
const LONGEST_WAIT = 2 ** 31 - 1;
/** A deadline is looked at so often, because the machine's clock may be set and the machine may sleep (ms). */
const LOOK_MS = 30_000;

interface Timer {
  readonly callback: () => void;
  /** When it is due by this clock. */
  due: number;
  /** It is due at that time, however long that takes, and not after a while. */
  readonly isDeadline: boolean;
  /** Takes it off the clock behind. */
  cancel: () => void;
}

/** A time to come, of which somebody is told. */
export interface Deadline {
  readonly over: boolean;
  cancel(): void;
}

/** Whether a clock that is being moved stands still for now, because something began that takes time of the machine. */
type Pauses = () => boolean;
const never: Pauses = () => false;
const callNow = (callback: () => void): void => callback();

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
 * it runs every timer on the way at its own time, in order. Set back, it leaves each timer as long as it had left, and
 * a deadline where it is. Frozen, it stands, and no timer runs until it is moved.
 */
export class EmulatorClock implements Clock {
  readonly #machine: Clock;
  readonly #ring: (callback: () => void) => void;
  readonly #timers = new Set<Timer>();
  /** Those that were set while the clock is being moved. */
  #arrived: Timer[] | undefined;
  #isClosed = false;
  #state: { readonly frozenAt: number } | { readonly ahead: number } = { ahead: 0 };

  /** `shown` is what another clock showed, from where this one goes on; `ring` calls back what is due. */
  constructor(machine: Clock, shown?: ClockStatus, ring: (callback: () => void) => void = callNow) {
    this.#machine = machine;
    this.#ring = ring;
    if (shown === undefined) return;
    this.#state = shown.frozen ? { frozenAt: Date.parse(shown.now) } : { ahead: shown.ahead_ms };
  }

  now(): number {
    return 'frozenAt' in this.#state ? this.#state.frozenAt : this.#machine.now() + this.#state.ahead;
  }

  setTimeout(callback: () => void, ms: number): () => void {
    return this.#add({ callback, due: this.now() + ms, isDeadline: false, cancel: () => {} });
  }

  /**
   * Calls `callback` once that time (ms since the Unix epoch) has come: at once when it has, and at the latest half a
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
    // Looked at once: between two looks the machine goes on.
    const machine = this.#machine.now();
    const frozen = 'frozenAt' in this.#state;
    const ahead = 'frozenAt' in this.#state ? this.#state.frozenAt - machine : this.#state.ahead;
    return { now: new Date(machine + ahead).toISOString(), frozen, ahead_ms: ahead };
  }

  /**
   * Shows another time, in milliseconds since the Unix epoch. False where `pauses`, asked after each that was due on the way,
   * said yes: the clock shows the time of that then. @throws SettingError for a time that no id can say.
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
   * Goes so many milliseconds on. Where `pauses` said yes on the way, as with {@link set}, how many of them are left; undefined
   * otherwise. @throws SettingError when that is back, or too far.
   */
  advance(ms: number, pauses: Pauses = never): number | undefined {
    if (!(ms >= 0)) throw new SettingError('time', 'a clock is advanced forward; set it to go back');
    const time = this.now() + ms;
    checkTime(time);
    return this.#moving(() => {
      const { ahead } = { ahead: undefined, ...this.#state };
      const arrived = this.#runUntil(time, pauses);
      // By so much and no less, however long it took.
      const shown = { ahead: 0, ...this.#state };
      if (!arrived) return Math.max(0, ahead === undefined ? time - this.now() : ahead + ms - shown.ahead);
      if (ahead === undefined) this.#show(time);
      else this.#state = { ahead: ahead + ms };
      return undefined;
    });
  }

  /** Stands from now on. */
  freeze(): void {
    this.#moving(() => {
      this.#state = { frozenAt: this.now() };
    });
  }

  /** Goes on from where it stands. */
  run(): void {
    if (!('frozenAt' in this.#state)) return;
    const { frozenAt } = this.#state;
    this.#moving(() => {
      this.#state = { ahead: frozenAt - this.#machine.now() };
    });
  }

  /** Shows the time of the machine again, and runs. */
  reset(): void {
    this.set(this.#machine.now());
    this.#moving(() => {
      this.#state = { ahead: 0 };
    });
  }

  /** Cancels everything that waits, and takes nothing more: nothing comes due any longer. */
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

  /** Runs what is due by a time; of those that are due at once, the one that was set first comes first. */
  #runUntil(time: number, pauses: Pauses): boolean {
    const queue = [...this.#timers].filter(({ due }) => due <= time).sort((a, b) => a.due - b.due);
    for (let at = 0; at < queue.length; at += 1) {
      const timer = queue[at] as Timer;
      // It may have been cancelled meanwhile.
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

  /** Does what changes the time, with every timer off the clock behind meanwhile. */
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
    const wait = Math.min(left, timer.isDeadline ? LOOK_MS : LONGEST_WAIT);
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
  throw new SettingError('time', `must be from ${range}, which is what ids can say`);
}
