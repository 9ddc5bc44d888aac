import { LocalError } from '../../base/local-error.ts';
import { usage } from '../parse.ts';

/** How long a step may take unless the person says so; whoever is asked for consent has 120 s (ms). */
export const STEP_MS = 10_000;
export const PERSON_MS = 130_000;

/** One limit over steps that follow each other; its error names the step that was waited for last. */
export interface TimeLimit {
  /** Aborts with a `LocalError` FOOTBRIDGE_TIMEOUT. */
  readonly signal: AbortSignal;
  /** What is waited for from now on, such as `answer to GET_GUILDS`; `usualMs` counts where no limit was given. */
  next(awaited: string, usualMs?: number): void;
  /** Nothing is waited for; the next step has the whole time again. */
  rest(): void;
}

/** `ms` is for all steps until `rest`; without it each step has its usual time. */
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

/** Runs all that a limit is on. What fails because of it fails with its reason, and nothing waits for it afterwards. */
export async function within<T>(limit: TimeLimit, task: () => Promise<T>): Promise<T> {
  try {
    return await task();
  } catch (error) {
    // What is under way fails because the client is closed, which is not why.
    throw limit.signal.aborted ? limit.signal.reason : error;
  } finally {
    limit.rest();
  }
}

/** Milliseconds of what was typed as seconds. Throws `LocalError` FOOTBRIDGE_USAGE. */
export function readTimeout(given: string | undefined, command: string): number | undefined {
  if (given === undefined) return undefined;
  const seconds = Number(given);
  if (/^\d{1,5}(\.\d+)?$/.test(given) && seconds > 0) return seconds * 1000;
  throw usage(`--timeout: ${JSON.stringify(given)} is not a number of seconds.`, { name: command });
}
