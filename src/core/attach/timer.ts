/** Calls `onLate` after `ms` unless cancelled; does not keep the process alive. */
export function startTimer(ms: number, onLate: () => void): { cancel(): void } {
  const timer = setTimeout(onLate, ms);
  timer.unref();
  return { cancel: () => clearTimeout(timer) };
}
