import { ClientError } from './errors.ts';

/** Maximum delay of a timer (ms): a timer with a longer delay would fire at once. */
export const MAX_TIMER_MS = 2 ** 31 - 1;
/** Maximum time limit (ms), a little below {@link MAX_TIMER_MS}: from here on no timer is set. */
const TIMER_LIMIT_MS = 2_000_000_000;

/**
 * Calls `give` with the signal's reason when the signal aborts, or with FOOTBRIDGE_TIMEOUT that names `what` after `ms`
 * (0, and more than 23 days: never). The returned function cancels both. The timer does not keep the process alive.
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

/** Result of the work, or an earlier rejection by {@link limit}. The work itself continues. */
export function within<T>(
  work: Promise<T>,
  ...[what, ms, signal]: [what: string, ms: number, signal?: AbortSignal]
): Promise<T> {
  return new Promise((resolve, reject) => {
    const forget = limit(what, ms, signal, reject);
    void work.then(resolve, reject).finally(forget);
  });
}

/**
 * Starts a timer that does not keep the process alive. In a page a timer is a number, and there is no process to keep
 * alive.
 */
export function quietTimer(run: () => void, ms: number): ReturnType<typeof setTimeout> {
  const timer = setTimeout(run, ms) as { unref?(): void } & ReturnType<typeof setTimeout>;
  timer.unref?.();
  return timer;
}

/** Adds an abort listener; the returned function removes it. */
export function onAbort(signal: AbortSignal | undefined, listener: () => void): () => void {
  signal?.addEventListener('abort', listener);
  return () => signal?.removeEventListener('abort', listener);
}
