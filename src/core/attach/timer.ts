import type { ExpiryClock } from '../expiry.ts';

/** The clock of the machine. Its timers do not keep the process alive. */
export const wallClock: ExpiryClock = {
  now: () => Date.now(),
  setTimeout(callback, ms) {
    const timer = startTimer(ms, callback);
    return () => timer.cancel();
  },
};

/** Calls `onLate` after `ms` unless cancelled. The timer does not keep the process alive. */
export function startTimer(ms: number, onLate: () => void): { cancel(): void } {
  const timer = setTimeout(onLate, ms);
  timer.unref();
  return { cancel: () => clearTimeout(timer) };
}
