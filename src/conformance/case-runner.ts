import { setMaxListeners } from 'node:events';
import { Failure, NotRun } from './failure.ts';
import { levelOf } from './requirements.ts';
import type { Settings } from './settings.ts';
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

/** Runs `work` for each item, `count` at a time, until the signal. */
export async function inParallel<T>(
  items: readonly T[],
  count: number,
  signal: AbortSignal,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const waiting = [...items];
  const worker = async () => {
    for (let one = waiting.shift(); one !== undefined && !signal.aborted; one = waiting.shift())
      await work(one);
  };
  await Promise.all(Array.from({ length: count }, worker));
}

/** Runs a case in a place of its own, which is closed afterwards; the time limit includes the start of a command. */
export async function runInPlace<Place extends { close(): Promise<void> }>(
  one: CaseFacts & { readonly run: (place: Place) => Promise<void> },
  place: Place,
  { timeouts, tracer }: Settings,
  signal: AbortSignal,
): Promise<Result> {
  const ms = timeouts.caseMs + timeouts.startMs;
  const result = await runToVerdict(one, () => one.run(place), { ms, signal, tracer });
  await place.close();
  return result;
}

/** Runs a case to its verdict. Never throws. */
export async function runToVerdict(
  one: CaseFacts,
  work: () => Promise<void>,
  { ms, signal, tracer }: { ms: number; signal: AbortSignal; tracer: Tracer | undefined },
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
