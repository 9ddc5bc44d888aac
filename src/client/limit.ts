import { ClientError } from './errors.ts';

/** A time that is not much longer would fire at once. */
const TIMER_LIMIT_MS = 2_000_000_000;

/**
 * Calls `give` with the signal's reason when it aborts, or with FOOTBRIDGE_TIMEOUT that names `what` after `ms` (0, and
 * more than 23 days: never). The returned function takes both back. The timer keeps no process alive.
 */
export function limit(
  what: string,
  ms: number,
  signal: AbortSignal | undefined,
  give: (reason: unknown) => void,
): () => void {
  const end = (): void =>
    give(signal?.aborted ? signal.reason : new ClientError('TIMEOUT', `${what}: no answer within ${ms} ms`));
  const timer = ms > 0 && ms < TIMER_LIMIT_MS && quietTimer(end, ms);
  const forget = onAbort(signal, end);
  return () => {
    if (timer) clearTimeout(timer);
    forget();
  };
}

/** A timer that keeps no process alive. That of a page is a number, and keeps nothing alive anyway. */
export function quietTimer(run: () => void, ms: number): ReturnType<typeof setTimeout> {
  const timer = setTimeout(run, ms) as { unref?(): void } & ReturnType<typeof setTimeout>;
  timer.unref?.();
  return timer;
}

/** Listens for an abort; the returned function stops listening. */
export function onAbort(signal: AbortSignal | undefined, listener: () => void): () => void {
  signal?.addEventListener('abort', listener);
  return () => signal?.removeEventListener('abort', listener);
}
