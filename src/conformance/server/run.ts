import { Failure } from '../failure.ts';
import { levelOf } from '../requirements.ts';
import type { Settings } from '../settings.ts';
import { Lab } from '../target/lab.ts';
import { sleep } from '../target/launch.ts';
import { showExit } from '../target/process.ts';
import { type Result, verdictOf } from '../verdict.ts';
import type { ExclusiveCase, RunningCase, ServerCase } from './case.ts';
import type { Host } from './host.ts';

/** Told about the run as it goes. */
export interface Observer {
  onResult(result: Result): void;
}

/** Cases side by side: they wait more than they work. */
const SIDE_BY_SIDE = 12;
/** Targets that cases start side by side, where that is possible. */
const PAIR = 2;
/** How long a crash may take to be noticed. */
const CRASH_MS = 40;

/** Runs the cases; the results come in the order of `cases`. Never throws because of the target. */
export async function runServerCases(
  cases: readonly ServerCase[],
  host: Host,
  command: string | undefined,
  settings: Settings,
  observer: Observer,
): Promise<readonly Result[]> {
  const results = new Map<ServerCase, Result>();
  const report = (one: ServerCase, result: Result) => {
    results.set(one, result);
    observer.onResult(result);
  };
  const running = cases.filter((one) => one.mode !== 'exclusive');
  const absence = running.length === 0 ? undefined : await absenceOf(host);
  if (absence !== undefined) {
    for (const one of cases) {
      report(one, { case: one, level: levelOf(one.judges), verdict: verdictOf(absence, 'MUST'), ms: 0 });
    }
    await host.close();
    return cases.flatMap((one) => results.get(one) ?? []);
  }
  const shared = running.filter((one) => one.mode === 'together');
  // Whoever waits for a deadline of many seconds waits while the others work.
  const waiting = runTogether(shared.filter(isSlow), host, settings, report);
  const disturbed = await runTogether(
    shared.filter((one) => !isSlow(one)),
    host,
    settings,
    report,
  );
  const alone = [...disturbed, ...running.filter((one) => one.mode === 'alone')];
  for (const one of alone) report(one, await runAlone(one, host, settings));
  const exclusive = cases.filter((one) => one.mode === 'exclusive');
  const isShareable =
    running.length > 0 && exclusive.length > 1 && (await canCoexist(host, command ?? '', settings));
  const early = isShareable ? runExclusives(exclusive, PAIR, command ?? '', settings, report) : undefined;
  const again = await runTogether(await waiting, host, settings, report);
  for (const one of again) report(one, await runAlone(one, host, settings));
  await host.close();
  await (early ?? runExclusives(exclusive, 1, command ?? '', settings, report));
  return cases.flatMap((one) => results.get(one) ?? []);
}

/** Why the target cannot even be started, when it cannot. */
async function absenceOf(host: Host): Promise<Failure | undefined> {
  try {
    await host.context();
    return undefined;
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
}

type Report = (one: ServerCase, result: Result) => void;

/** Returns the cases during which the target went down: alone it will show which of them did it. */
async function runTogether(
  cases: readonly RunningCase[],
  host: Host,
  settings: Settings,
  report: Report,
): Promise<readonly RunningCase[]> {
  const again: RunningCase[] = [];
  // Lanes first: each is as long as its cases together.
  const waiting = [...cases].sort((a, b) => Number(b.lane !== undefined) - Number(a.lane !== undefined));
  const busyLanes = new Set<string>();
  const worker = async () => {
    for (;;) {
      const index = waiting.findIndex((one) => one.lane === undefined || !busyLanes.has(one.lane));
      const [one] = index < 0 ? [] : waiting.splice(index, 1);
      if (one === undefined) {
        if (waiting.length === 0) return;
        await sleep(5);
        continue;
      }
      if (one.lane !== undefined) busyLanes.add(one.lane);
      const { result, isUndisturbed } = await runOnce(one, host, settings);
      if (one.lane !== undefined) busyLanes.delete(one.lane);
      if (isUndisturbed) report(one, result);
      else again.push(one);
    }
  };
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, worker));
  return again;
}

function isSlow(one: RunningCase): boolean {
  return one.judges.includes('handshake.deadline');
}

async function runAlone(one: RunningCase, host: Host, settings: Settings): Promise<Result> {
  const { result, isUndisturbed } = await runOnce(one, host, settings);
  if (isUndisturbed || host.exit === undefined) return result;
  const failure = new Failure(
    'the target to go on running',
    `it ended (${showExit(host.exit)}): ${host.lastWords()}`,
    'gone',
  );
  // A crash is never a mere warning.
  return { ...result, verdict: verdictOf(failure, 'MUST') };
}

async function runOnce(
  one: RunningCase,
  host: Host,
  settings: Settings,
): Promise<{ result: Result; isUndisturbed: boolean }> {
  const started = Date.now();
  const level = levelOf(one.judges);
  const finish = (verdict: Result['verdict']): Result => ({
    case: one,
    level,
    verdict,
    ms: Date.now() - started,
  });
  let generation = host.generation;
  try {
    const context = await host.context();
    generation = host.generation;
    try {
      await limited(one.run(context), settings.patience.caseMs);
    } finally {
      context.close();
    }
    if (one.mode === 'alone') await sleep(CRASH_MS);
    return { result: finish({ kind: 'passed' }), isUndisturbed: isUndisturbed(host, generation) };
  } catch (error) {
    await sleep(CRASH_MS);
    return { result: finish(verdictOf(error, level)), isUndisturbed: isUndisturbed(host, generation) };
  }
}

function isUndisturbed(host: Host, generation: number): boolean {
  return host.exit === undefined && host.generation === generation;
}

/** Whether a second target lives beside the first, in another folder: some claim a port that is the only one. */
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
): Promise<void> {
  const waiting = [...cases];
  const worker = async () => {
    for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) {
      report(one, await runExclusive(one, command, settings));
    }
  };
  await Promise.all(Array.from({ length: sideBySide }, worker));
}

async function runExclusive(one: ExclusiveCase, command: string, settings: Settings): Promise<Result> {
  const started = Date.now();
  const level = levelOf(one.judges);
  const lab = new Lab(settings, command);
  let verdict: Result['verdict'] = { kind: 'passed' };
  try {
    await limited(one.run(lab), settings.patience.caseMs + settings.patience.startMs);
  } catch (error) {
    verdict = verdictOf(error, level);
  }
  await lab.close();
  return { case: one, level, verdict, ms: Date.now() - started };
}

/** The outcome of `work`, or a failure when it takes longer than `ms`. */
async function limited(work: Promise<void>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Failure('the case to end', `still busy after ${ms} ms`, 'silent')),
      ms,
    );
  });
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
    // What the abandoned case throws later, when its connections are closed, concerns nobody.
    work.catch(() => undefined);
  }
}
