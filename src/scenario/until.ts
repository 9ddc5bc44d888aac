import { setTimeout as delay } from 'node:timers/promises';
import { parseDuration } from '../emulator/kernel/time-text.ts';
import { StepFailure } from './place.ts';
import type { Run } from './run.ts';

/** Reason why an expectation does not hold yet: where, and what is there instead. */
export interface Unmet {
  readonly what: string;
  readonly actual: string;
  readonly expected?: string;
  readonly field?: string;
}

const WITHIN = '2s';
/** Longest wait of the machine, where the clock of the emulator may skip what is longer (ms). */
const MAX_REAL_MS = 10_000;
/** Interval of the checks (ms). */
const PAUSE_MS = 5;

/** Waits until a check finds nothing unmet. Time is skipped while nobody does anything. @throws StepFailure */
export async function until(
  run: Run,
  within: string | undefined,
  check: () => Promise<Unmet | undefined>,
): Promise<void> {
  const limit = parseDuration(within ?? WITHIN);
  const clock = async (): Promise<number> =>
    Date.parse((await run.call<{ readonly now: string }>('clock.now', {})).now);
  const begun = { machine: performance.now(), clock: await clock() };
  let isOver = false;
  let isSkipping = false;
  // The checks continue meanwhile, so that a reaction of the bot is found at once.
  const skip = async (): Promise<void> => {
    const left = limit - ((await clock()) - begun.clock);
    if (left > 0 && (await isSettled(run)) && !isOver)
      await run.call('clock.skip', { within: `${Math.ceil(left)}ms` });
  };
  try {
    for (;;) {
      const unmet = await check();
      if (unmet === undefined) return;
      if (performance.now() - begun.machine >= Math.min(limit, MAX_REAL_MS)) {
        const { what, field, ...facts } = unmet;
        // What did not come is told of the whole time; what is otherwise, of its end.
        const when = /^no(?:thing)? /.test(what) ? 'within' : 'after';
        throw new StepFailure(`${what} ${when} ${within ?? WITHIN}`, facts, field);
      }
      if (!isSkipping) {
        isSkipping = true;
        const skipped = (): void => {
          isSkipping = false;
        };
        void skip().then(skipped, skipped);
      }
      await delay(PAUSE_MS);
    }
  } finally {
    isOver = true;
  }
}

async function isSettled(run: Run): Promise<boolean> {
  return (
    await run.call<{ readonly settled: boolean }>('emulator.settle', { within: '100ms', quiet: run.quiet })
  ).settled;
}
