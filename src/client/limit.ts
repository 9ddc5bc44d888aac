import { ClientError } from './errors.ts';

/** Maximum delay of a timer (ms): a longer one would fire at once. */
export const MAX_TIMER_MS = 2 ** 31 - 1;
/** A time that is not much longer would fire at once. */
const TIMER_LIMIT_MS = 2_000_000_000;

/**
 * Calls `give` with the signal's reason when it aborts, or with FOOTBRIDGE_TIMEOUT that names `what` after `ms` (0, and
 * more than 23 days: never). The returned function cancels both. The timer does not keep the process alive.
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

/** A timer that does not keep the process alive. In a page it is a number, which never does. */
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
