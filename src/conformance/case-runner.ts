import { setMaxListeners } from 'node:events';
import { Failure, NotRun } from './failure.ts';
import { levelOf } from './requirements.ts';
import { Trace, type Tracer } from './trace/trace.ts';
import { type CaseFacts, type Result, type Verdict, verdictOf } from './verdict.ts';

/**
 * Controller that ends a run. Every running case listens to its signal, and Node warns about more than ten listeners.
 */
export function runController(): AbortController {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  return controller;
}

/** Time limit, abort signal and tracer for a case. */
export interface Conditions {
  /** Time limit in ms. */
  readonly ms: number;
  readonly signal: AbortSignal;
  readonly tracer: Tracer | undefined;
}

/** Runs a case to its verdict. Never throws. */
export async function runToVerdict(
  one: CaseFacts,
  work: () => Promise<void>,
  { ms, signal, tracer }: Conditions,
): Promise<Result> {
  const started = Date.now();
  const level = levelOf(one.requirementIds);
  const trace = new Trace();
  let verdict: Verdict = { kind: 'passed' };
  try {
    await limited(tracer === undefined ? work() : tracer.follow(trace, work), ms, signal);
  } catch (error) {
    verdict = verdictOf(error, level);
  }
  const result = { case: one, level, verdict, ms: Date.now() - started };
  return tracer === undefined ? result : { ...result, trace: trace.lines };
}

/**
 * Waits for the outcome of a case. Throws a failure when the case takes longer than `ms`, or NotRun when the run is
 * aborted.
 */
async function limited(work: Promise<void>, ms: number, signal: AbortSignal): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  let stop = (): void => {};
  const late = new Promise<never>((_, reject) => {
    stop = () => reject(new NotRun(String(signal.reason)));
    timer = setTimeout(
      () => reject(new Failure('the case to end', `still busy after ${ms} ms`, 'silent')),
      ms,
    );
  });
  signal.addEventListener('abort', stop);
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
    // The abandoned case fails when its connections are closed; that error is irrelevant.
    work.catch(() => undefined);
  }
}
