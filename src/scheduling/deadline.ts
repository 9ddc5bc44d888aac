/** A deadline that runs. */
export interface Deadline {
  /** Gives the whole time again, also after `onLate` was called. */
  restart(): void;
  cancel(): void;
}

/**
 * Calls `onLate` after `ms` milliseconds, unless `cancel` is called before. After a suspend of the machine every timer
 * is overdue at once, while the peer's bytes still wait in the socket. So the deadline waits two more turns of the
 * event loop, in which these bytes arrive.
 */
export function startDeadline(ms: number, onLate: () => void): Deadline {
  /** Number of restarts; undefined after `cancel`. */
  let run: number | undefined = 0;
  const timer = setTimeout(() => {
    const begun = run;
    setImmediate(() => setImmediate(() => begun !== undefined && begun === run && onLate()));
  }, ms);
  timer.unref();
  return {
    restart() {
      if (run === undefined) return;
      run += 1;
      timer.refresh();
    },
    cancel() {
      run = undefined;
      clearTimeout(timer);
    },
  };
}
