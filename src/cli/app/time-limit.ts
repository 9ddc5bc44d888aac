import { LocalError } from '../../base/local-error.ts';
import { usage } from '../parse.ts';

/**
 * Default time of a step (ms); `USER_MS` is for a step in which a user may have to consent, because a consent request
 * waits 120 s.
 */
export const STEP_MS = 10_000;
export const USER_MS = 130_000;

/** Time limit that consecutive steps share; its error names the last awaited step. */
export interface TimeLimit {
  /** Aborts with a `LocalError` FOOTBRIDGE_TIMEOUT. */
  readonly signal: AbortSignal;
  /**
   * Starts a step with its description, such as `answer to GET_GUILDS`; `usualMs` applies without an explicit limit.
   */
  next(awaited: string, usualMs?: number): void;
  /** Pauses the limit; the next step has the full time again. */
  rest(): void;
}

/** Creates a time limit: `ms` covers all steps until `rest`; without `ms` each step has its usual time. */
export function timeLimit(ms: number | undefined): TimeLimit {
  const controller = new AbortController();
  let awaited = '';
  let timer: NodeJS.Timeout | undefined;
  const arm = (limit: number): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      const text = `No ${awaited} within ${limit / 1000} s; --timeout sets how long to wait.`;
      controller.abort(new LocalError('FOOTBRIDGE_TIMEOUT', text));
    }, limit);
  };
  return {
    signal: controller.signal,
    next(step, usualMs = STEP_MS) {
      awaited = step;
      if (ms === undefined) arm(usualMs);
      else if (timer === undefined) arm(ms);
    },
    rest() {
      clearTimeout(timer);
      timer = undefined;
    },
  };
}

/** Runs a task under a limit. After an abort `within` throws the limit's reason; in every case it clears the timer. */
export async function within<T>(limit: TimeLimit, task: () => Promise<T>): Promise<T> {
  try {
    return await task();
  } catch (error) {
    // When the limit aborts, the client is closed and requests in flight fail: the limit's reason is the cause to
    // report.
    throw limit.signal.aborted ? limit.signal.reason : error;
  } finally {
    limit.rest();
  }
}

/** Parses seconds into milliseconds. Throws `LocalError` FOOTBRIDGE_USAGE. */
export function readTimeout(text: string | undefined, command: string): number | undefined {
  if (text === undefined) return undefined;
  const seconds = Number(text);
  if (/^\d{1,5}(\.\d+)?$/.test(text) && seconds > 0) return seconds * 1000;
  throw usage(`--timeout: ${JSON.stringify(text)} is not a number of seconds.`, { name: command });
}
