/** A time that is not much longer would fire at once. */
const TIMER_LIMIT_MS = 2_000_000_000;

/**
 * Calls `give` when the signal aborts, or after `ms` (0, and more than 23 days: never). The returned function takes both
 * back. The timer keeps no process alive.
 */
export function limit(ms: number, signal: AbortSignal | undefined, give: () => void): () => void {
  const timer = ms > 0 && ms < TIMER_LIMIT_MS ? setTimeout(give, ms).unref() : undefined;
  const forget = onAbort(signal, give);
  return () => {
    clearTimeout(timer);
    forget();
  };
}

/** Listens for an abort; the returned function stops listening. */
export function onAbort(signal: AbortSignal | undefined, listener: () => void): () => void {
  signal?.addEventListener('abort', listener);
  return () => signal?.removeEventListener('abort', listener);
}
