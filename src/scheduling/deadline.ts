/**
 * Calls `onLate` after `ms` milliseconds, unless `cancel` is called before. After a suspend of the machine every timer
 * is overdue at once, while the peer's bytes still wait in the socket. So the deadline waits two more turns of the
 * event loop, in which these bytes arrive.
 */
export function startDeadline(ms: number, onLate: () => void): { cancel(): void } {
  let cancelled = false;
  const timer = setTimeout(() => {
    setImmediate(() => setImmediate(() => cancelled || onLate()));
  }, ms);
  timer.unref();
  return {
    cancel() {
      cancelled = true;
      clearTimeout(timer);
    },
  };
}
