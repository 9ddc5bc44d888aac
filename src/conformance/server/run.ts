import { inParallel, runController, runInPlace, runToVerdict } from '../case-runner.ts';
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
  readonly onResult: (result: Result) => void;
  /** Ends the run: unfinished cases have no result. */
  readonly signal?: AbortSignal;
}

/** Number of concurrent cases: a case waits more than it works. */
const SIDE_BY_SIDE = 12;
/** Number of concurrent targets of exclusive cases, where that is possible. */
const PAIR = 2;
/** Time until a crash is noticed (ms). */
const CRASH_MS = 40;

/** What the parts of one run share. */
interface Run {
  readonly host: Host;
  readonly command: string;
  readonly settings: Settings;
  readonly signal: AbortSignal;
  readonly report: (one: ServerCase, result: Result) => void;
}

/** Runs the cases; returns the results in the order of `cases`. Never throws because of the target. */
export async function runServerCases(
  cases: readonly ServerCase[],
  host: Host,
  command = '',
  settings: Settings,
  { onResult, signal = runController().signal }: Observer,
): Promise<readonly Result[]> {
  const results = new Map<ServerCase, Result>();
  const report = (one: ServerCase, result: Result) => {
    if (signal.aborted) return;
    results.set(one, result);
    onResult(result);
  };
  const run: Run = { host, command, settings, signal, report };
  const running = cases.filter((one) => one.mode !== 'exclusive');
  const shared = running.filter((one) => one.mode === 'together');
  // Cases that wait for a deadline of many seconds run beside all the others.
  const waiting = runTogether(shared.filter(isSlow), run);
  const disturbed = await runTogether(
    shared.filter((one) => !isSlow(one)),
    run,
  );
  await runAlone([...disturbed, ...running.filter((one) => one.mode === 'alone')], run);
  const exclusive = cases.filter((one) => one.mode === 'exclusive');
  const isShareable =
    running.length > 0 && exclusive.length > 1 && !signal.aborted && (await canCoexist(run));
  const early = isShareable ? runExclusives(exclusive, PAIR, run) : undefined;
  const again = await runTogether(await waiting, run);
  await runAlone([...again, ...running.filter((one) => one.mode === 'crowd')], run);
  await host.close();
  await (early ?? runExclusives(exclusive, 1, run));
  return cases.flatMap((one) => results.get(one) ?? []);
}

/**
 * Runs cases concurrently. Returns the cases during which the target went down; each of them runs again alone, to find
 * the cause.
 */
async function runTogether(cases: readonly RunningCase[], run: Run): Promise<readonly RunningCase[]> {
  const again: RunningCase[] = [];
  // Lanes start first, because a lane takes as long as the sum of its cases.
  const waiting = [...cases].sort((a, b) => Number(b.lane !== undefined) - Number(a.lane !== undefined));
  const busyLanes = new Set<string>();
  const worker = async () => {
    while (!run.signal.aborted) {
      const index = waiting.findIndex((one) => one.lane === undefined || !busyLanes.has(one.lane));
      const [one] = index < 0 ? [] : waiting.splice(index, 1);
      if (one === undefined) {
        if (waiting.length === 0) return;
        await sleep(5);
        continue;
      }
      if (one.lane !== undefined) busyLanes.add(one.lane);
      const { result, isUndisturbed } = await runOnce(one, run);
      if (one.lane !== undefined) busyLanes.delete(one.lane);
      if (isUndisturbed) run.report(one, result);
      else again.push(one);
    }
  };
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, worker));
  return again;
}

function isSlow(one: RunningCase): boolean {
  return one.requirementIds.includes('handshake.deadline');
}

/** Runs cases one by one. A crash of the target is always a failure of the case. */
async function runAlone(cases: readonly RunningCase[], run: Run): Promise<void> {
  const { host, signal } = run;
  for (const one of cases) {
    if (signal.aborted) return;
    const { result, isUndisturbed } = await runOnce(one, run);
    if (isUndisturbed || host.exit === undefined) {
      run.report(one, result);
      continue;
    }
    const actual = withLastOutput(`it ended with ${formatExit(host.exit)}`, host.lastOutput());
    const failure = new Failure('the target to go on running', actual, 'gone');
    run.report(one, { ...result, verdict: verdictOf(failure, 'MUST') });
  }
}

async function runOnce(
  one: RunningCase,
  { host, settings, signal }: Run,
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
  return { result, isUndisturbed: host.exit === undefined && host.generation === generation };
}

/** Whether a second target can run beside the first, in another folder: some targets need a fixed port. */
async function canCoexist({ host, command, settings }: Run): Promise<boolean> {
  const lab = new Lab(settings, command);
  try {
    const { kind } = await lab.launch();
    return kind === 'listening' && host.exit === undefined;
  } finally {
    await lab.close();
  }
}

function runExclusives(cases: readonly ExclusiveCase[], sideBySide: number, run: Run): Promise<void> {
  const { command, settings, signal } = run;
  return inParallel(cases, sideBySide, signal, async (one) => {
    run.report(one, await runInPlace(one, new Lab(settings, command), settings, signal));
  });
}
