/**
 * Calls `onLate` when `ms` have passed, unless `cancel` comes first. After a suspend every timer is overdue at once
 * while the peer's bytes still wait in the socket: two turns of the event loop let them in before a peer is treated as
 * late.
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
