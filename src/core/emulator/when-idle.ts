/** Interval of the checks (ms), and the part of it for which an idle event loop may be busy. */
const CHECK_MS = 100;
const MAX_BUSY = 0.2;

/** Calls `task` once, after the first interval in which the event loop was idle; the returned function cancels it. */
export function whenIdle(task: () => void): () => void {
  let before = performance.eventLoopUtilization();
  const timer = setInterval(() => {
    const { utilization } = performance.eventLoopUtilization(before);
    before = performance.eventLoopUtilization();
    if (utilization > MAX_BUSY) return;
    clearInterval(timer);
    task();
  }, CHECK_MS);
  timer.unref();
  return () => clearInterval(timer);
}
