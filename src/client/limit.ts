const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Calls `give` when the signal aborts, or after `ms` (0: never). The returned function takes both back. The timer
 * keeps no process alive.
 */
export function limit(ms: number, signal: AbortSignal | undefined, give: () => void): () => void {
  const timer = ms > 0 ? setTimeout(give, Math.min(ms, MAX_TIMER_MS)).unref() : undefined;
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
