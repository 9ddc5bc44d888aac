import { runController } from './case-runner.ts';
import { INTERRUPTED, STOPPED, Unavailable, UsageError } from './failure.ts';
import { helpText, type Options, readOptions } from './options.ts';
import { readTextFile } from './read-file.ts';
import { compare, readBaseline, writeBaseline } from './report/baseline.ts';
import { isFailure, type RunFacts } from './report/machine.ts';
import { openOutputs, writeReports } from './report/outputs.ts';
import { Progress } from './report/progress.ts';
import { printCauses, printNotRun } from './report/summary.ts';
import { resultLine, type Style, safeText, sectionOf, summaryTable } from './report/table.ts';
import { traceText } from './report/trace-text.ts';
import { levelOf } from './requirements.ts';
import type { Suite } from './suite.ts';
import type { CaseFacts, Result } from './verdict.ts';

/** Output and environment of the suite. */
export interface ConformanceIo {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** True when `err` is a terminal that can display progress. */
  readonly isTerminal: boolean;
  readonly color: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Ends the run early: started processes are ended, and the reports cover the cases so far. */
  readonly signal?: AbortSignal;
}

/** Exit codes of the suite. */
const EXIT = { ok: 0, findings: 1, usage: 64, unavailable: 69 } as const;

/** Runs the suite with command-line arguments. Returns the exit code; never throws because of a target. */
export async function runConformance(argv: readonly string[], io: ConformanceIo): Promise<number> {
  try {
    const options = readOptions(argv, io.env, io.signal);
    if (options === 'help') {
      io.out(helpText());
      return EXIT.ok;
    }
    const suite = await openSuite(options);
    return options.list ? list(suite, options, io) : await execute(suite, options, io);
  } catch (error) {
    if (!(error instanceof UsageError || error instanceof Unavailable)) throw error;
    io.err(`conformance: ${safeText(error.message)}\n`);
    return error instanceof UsageError ? EXIT.usage : EXIT.unavailable;
  }
}

async function openSuite(options: Options): Promise<Suite> {
  if (options.suite === 'server') return (await import('./server/suite.ts')).serverSuite(options);
  return (await import('./client/suite.ts')).clientSuite(options);
}

function select(suite: Suite, options: Options): readonly CaseFacts[] {
  for (const name of options.cases) {
    if (!suite.all.some((one) => isNamed(one, name))) {
      throw new UsageError(`--case: there is no case or section "${name}"; --list shows them all`);
    }
    const omitted = suite.omitted.find(({ case: one }) => one.id === name);
    if (omitted !== undefined) throw new UsageError(`--case: ${name}: ${omitted.reason}`);
  }
  const left = new Set(suite.omitted.map(({ case: one }) => one));
  const offered = suite.all.filter((one) => !left.has(one));
  return offered.filter((one) => isChosen(one, options));
}

const isNamed = (one: CaseFacts, name: string): boolean => one.id === name || sectionOf(one.id) === name;

/** Whether `--case` names the case, or is absent. */
function isChosen(one: CaseFacts, { cases }: Options): boolean {
  return cases.length === 0 || cases.some((name) => isNamed(one, name));
}

function list(suite: Suite, options: Options, io: ConformanceIo): number {
  for (const one of select(suite, options)) {
    io.out(`${one.id.padEnd(18)} ${levelOf(one.requirementIds).padEnd(6)} ${one.title}\n`);
  }
  return EXIT.ok;
}

async function execute(suite: Suite, options: Options, io: ConformanceIo): Promise<number> {
  const ids = new Set(suite.all.map((one) => one.id));
  const listed =
    options.baseline === undefined
      ? new Set<string>()
      : readBaseline(readTextFile(options.baseline, '--baseline'), options.baseline, ids);
  const cases = select(suite, options);
  const outputs = openOutputs(options, io.out);
  const started = Date.now();
  const factsNow = (): RunFacts => ({
    suite: options.suite,
    target: suite.target,
    profile: options.settings.profile,
    strict: options.strict,
    date: new Date(started).toISOString(),
    ms: Date.now() - started,
  });
  try {
    await suite.reach();
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    const unavailable = `${suite.target}: cannot be reached or started: ${error.message}`;
    writeReports(outputs, { ...factsNow(), unavailable }, []);
    outputs.baseline?.discard();
    throw new Unavailable(unavailable);
  }
  const style: Style = { color: io.color, strict: options.strict };
  // With a report on standard output, all other text goes to stderr.
  const isQuiet = options.reports.some((report) => report.file === undefined);
  const print = (text: string) => (isQuiet ? io.err(text) : io.out(text));
  print(`${options.suite} ${safeText(suite.target)}: ${cases.length} cases\n`);
  const wanted = suite.omitted.filter(({ case: one }) => isChosen(one, options));
  printNotRun(
    wanted.map(({ reason }) => reason),
    print,
  );
  const results = await runCases(suite, cases, listed, options, io, (result) => {
    const line = resultLine(result, style);
    if (line !== undefined) print(`${line}\n`);
    // Without `--case`, only failures get a trace: traces of all passed cases would be too long.
    const isWanted = options.cases.length > 0 || 'failure' in result.verdict;
    if (result.trace !== undefined && isWanted) print(traceText(result, result.trace));
  });

  const facts = factsNow();
  print(`\n${summaryTable(results, style)}\n\n${(facts.ms / 1000).toFixed(1)} s\n`);
  printCauses(results, print);
  printNotRun(
    results.flatMap(({ verdict }) => (verdict.kind === 'not-run' ? verdict.reason : [])),
    print,
  );
  writeReports(outputs, facts, results);
  outputs.baseline?.write(writeBaseline(results, options.strict));
  return conclude(results, listed, options, print);
}

/** Runs the cases with a progress line. Cases after an early end count as not run. */
async function runCases(
  suite: Suite,
  cases: readonly CaseFacts[],
  listed: ReadonlySet<string>,
  { strict, failFast }: Options,
  io: ConformanceIo,
  onResult: (result: Result) => void,
): Promise<readonly Result[]> {
  const stop = runController();
  const interrupt = (): void => stop.abort(INTERRUPTED);
  if (io.signal?.aborted === true) interrupt();
  io.signal?.addEventListener('abort', interrupt);
  const progress = new Progress(io, cases.length);
  const results = await suite.run(
    cases,
    (result) => {
      progress.clear();
      onResult(result);
      progress.advance(result.case.id);
      if (failFast && isFailure(result, strict) && !listed.has(result.case.id)) stop.abort(STOPPED);
    },
    stop.signal,
  );
  progress.clear();
  io.signal?.removeEventListener('abort', interrupt);
  const byCase = new Map(results.map((result) => [result.case, result]));
  return cases.map(
    (one): Result =>
      byCase.get(one) ?? {
        case: one,
        level: levelOf(one.requirementIds),
        verdict: { kind: 'not-run', reason: String(stop.signal.reason) },
        ms: 0,
      },
  );
}

function conclude(
  results: readonly Result[],
  listed: ReadonlySet<string>,
  options: Options,
  print: (text: string) => void,
): number {
  const { news, stale, known } = compare(results, listed, options.strict);
  if (known.length > 0) print(`known failures: ${known.join(' ')}\n`);
  for (const id of stale) print(`${options.baseline}: ${id} passes now: remove its line\n`);
  const isAbsent =
    results.length > 0 &&
    results.every(({ verdict }) => 'failure' in verdict && verdict.failure.kind === 'absent');
  if (isAbsent) return EXIT.unavailable;
  return news.length > 0 || stale.length > 0 ? EXIT.findings : EXIT.ok;
}
