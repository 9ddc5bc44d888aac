import type { Clock } from '../../emulator/kernel/clock.ts';
import { ErrorCode } from '../../protocol/error-code.ts';
import { RpcError } from '../../protocol/errors.ts';

/** Simulated duration of a request, and the app's timeout for the request. */
export interface Duration {
  readonly clock: Clock;
  /** Milliseconds. */
  readonly takes: number;
  /** Timeout in seconds; undefined for no timeout. */
  readonly timeout: number | undefined;
  readonly signal: AbortSignal;
}

/**
 * Waits for the duration. Throws `late` at the timeout, and RpcError 1002 when the peer disconnects during the wait.
 */
export async function takeTime(duration: Duration, late: RpcError): Promise<void> {
  const { clock, takes, timeout, signal } = duration;
  if (takes === 0) return;
  const limit = timeout === undefined ? Number.POSITIVE_INFINITY : timeout * 1000;
  if (limit === 0) throw late;
  await new Promise<void>((resolve, reject) => {
    const end = (settle: () => void) => () => {
      cancel();
      signal.removeEventListener('abort', left);
      settle();
    };
    const left = end(() => reject(new RpcError(ErrorCode.TRANSACTION_ABORTED, 'The app has left')));
    const done = end(() => (takes > limit ? reject(late) : resolve()));
    const cancel = clock.setTimeout(done, Math.min(takes, limit));
    signal.addEventListener('abort', left);
  });
}
