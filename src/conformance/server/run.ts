import { runController, runToVerdict } from '../case-runner.ts';
import { Failure } from '../failure.ts';
import { levelOf } from '../requirements.ts';
import type { Settings } from '../settings.ts';
import { Lab } from '../target/lab.ts';
import { sleep } from '../target/launch.ts';
import { formatExit, withLastOutput } from '../target/process.ts';
import { type Result, verdictOf } from '../verdict.ts';
import type { ExclusiveCase, RunningCase, ServerCase } from './case.ts';
import type { Host } from './host.ts';

/** Receiver of results during a run. */
export interface Observer {
  onResult(result: Result): void;
  /** Ends the run: unfinished cases have no result. */
  readonly signal?: AbortSignal;
}

/** Number of concurrent cases: a case waits more than it works. */
const SIDE_BY_SIDE = 12;
/** Number of concurrent targets of exclusive cases, where that is possible. */
const PAIR = 2;
/** Time until a crash is noticed (ms). */
const CRASH_MS = 40;

/** Runs the cases; returns the results in the order of `cases`. Never throws because of the target. */
export async function runServerCases(
  cases: readonly ServerCase[],
  host: Host,
  command: string | undefined,
  settings: Settings,
  observer: Observer,
): Promise<readonly Result[]> {
  const results = new Map<ServerCase, Result>();
  const { signal = runController().signal } = observer;
  const report = (one: ServerCase, result: Result) => {
    if (signal.aborted) return;
    results.set(one, result);
    observer.onResult(result);
  };
  const running = cases.filter((one) => one.mode !== 'exclusive');
  const shared = running.filter((one) => one.mode === 'together');
  // Cases that wait for a deadline of many seconds run beside all the others.
  const waiting = runTogether(shared.filter(isSlow), host, settings, report, signal);
  const disturbed = await runTogether(
    shared.filter((one) => !isSlow(one)),
    host,
    settings,
    report,
    signal,
  );
  const alone = [...disturbed, ...running.filter((one) => one.mode === 'alone')];
  for (const one of alone) if (!signal.aborted) report(one, await runAlone(one, host, settings, signal));
  const exclusive = cases.filter((one) => one.mode === 'exclusive');
  const isShareable =
    running.length > 0 &&
    exclusive.length > 1 &&
    !signal.aborted &&
    (await canCoexist(host, command ?? '', settings));
  const early = isShareable
    ? runExclusives(exclusive, PAIR, command ?? '', settings, report, signal)
    : undefined;
  const again = await runTogether(await waiting, host, settings, report, signal);
  const crowds = running.filter((one) => one.mode === 'crowd');
  for (const one of [...again, ...crowds])
    if (!signal.aborted) report(one, await runAlone(one, host, settings, signal));
  await host.close();
  await (early ?? runExclusives(exclusive, 1, command ?? '', settings, report, signal));
  return cases.flatMap((one) => results.get(one) ?? []);
}

type Report = (one: ServerCase, result: Result) => void;

/**
 * Runs cases concurrently. Returns the cases during which the target went down; each of them runs again alone, to find
 * the cause.
 */
async function runTogether(
  cases: readonly RunningCase[],
  host: Host,
  settings: Settings,
  report: Report,
  signal: AbortSignal,
): Promise<readonly RunningCase[]> {
  const again: RunningCase[] = [];
  // Lanes start first, because a lane takes as long as the sum of its cases.
  const waiting = [...cases].sort((a, b) => Number(b.lane !== undefined) - Number(a.lane !== undefined));
  const busyLanes = new Set<string>();
  const worker = async () => {
    while (!signal.aborted) {
      const index = waiting.findIndex((one) => one.lane === undefined || !busyLanes.has(one.lane));
      const [one] = index < 0 ? [] : waiting.splice(index, 1);
      if (one === undefined) {
        if (waiting.length === 0) return;
        await sleep(5);
        continue;
      }
      if (one.lane !== undefined) busyLanes.add(one.lane);
      const { result, isUndisturbed } = await runOnce(one, host, settings, signal);
      if (one.lane !== undefined) busyLanes.delete(one.lane);
      if (isUndisturbed) report(one, result);
      else again.push(one);
    }
  };
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, worker));
  return again;
}

function isSlow(one: RunningCase): boolean {
  return one.requirementIds.includes('handshake.deadline');
}

async function runAlone(
  one: RunningCase,
  host: Host,
  settings: Settings,
  signal: AbortSignal,
): Promise<Result> {
  const { result, isUndisturbed } = await runOnce(one, host, settings, signal);
  if (isUndisturbed || host.exit === undefined) return result;
  const failure = new Failure(
    'the target to go on running',
    withLastOutput(`it ended with ${formatExit(host.exit)}`, host.lastOutput()),
    'gone',
  );
  // A crash is always a failure.
  return { ...result, verdict: verdictOf(failure, 'MUST') };
}

async function runOnce(
  one: RunningCase,
  host: Host,
  settings: Settings,
  signal: AbortSignal,
): Promise<{ result: Result; isUndisturbed: boolean }> {
  const { timeouts, tracer } = settings;
  let generation = host.generation;
  let result: Result;
  try {
    const context = await host.context();
    generation = host.generation;
    result = await runToVerdict(one, () => one.run(context), { ms: timeouts.caseMs, signal, tracer });
    context.close();
  } catch (error) {
    const level = levelOf(one.requirementIds);
    result = { case: one, level, verdict: verdictOf(error, level), ms: 0 };
  }
  if (one.mode !== 'together' || result.verdict.kind !== 'passed') await sleep(CRASH_MS);
  return { result, isUndisturbed: isUndisturbed(host, generation) };
}

function isUndisturbed(host: Host, generation: number): boolean {
  return host.exit === undefined && host.generation === generation;
}

/** Whether a second target can run beside the first, in another folder: some targets need a fixed port. */
async function canCoexist(host: Host, command: string, settings: Settings): Promise<boolean> {
  const lab = new Lab(settings, command);
  try {
    const { kind } = await lab.launch();
    return kind === 'listening' && host.exit === undefined;
  } finally {
    await lab.close();
  }
}

async function runExclusives(
  cases: readonly ExclusiveCase[],
  sideBySide: number,
  command: string,
  settings: Settings,
  report: Report,
  signal: AbortSignal,
): Promise<void> {
  const waiting = [...cases];
  const worker = async () => {
    for (let one = waiting.shift(); one !== undefined && !signal.aborted; one = waiting.shift()) {
      report(one, await runExclusive(one, command, settings, signal));
    }
  };
  await Promise.all(Array.from({ length: sideBySide }, worker));
}

async function runExclusive(
  one: ExclusiveCase,
  command: string,
  settings: Settings,
  signal: AbortSignal,
): Promise<Result> {
  const { timeouts, tracer } = settings;
  const lab = new Lab(settings, command);
  const result = await runToVerdict(one, () => one.run(lab), {
    ms: timeouts.caseMs + timeouts.startMs,
    signal,
    tracer,
  });
  await lab.close();
  return result;
}
