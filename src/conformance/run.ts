import { writeFileSync } from 'node:fs';
import { UsageError } from './failure.ts';
import { helpText, type Options, readOptions, readTextFile } from './options.ts';
import { compare, readBaseline, writeBaseline } from './report/baseline.ts';
import { jsonReport, junitReport, type RunFacts } from './report/machine.ts';
import { resultLine, type Style, sectionOf, summaryTable } from './report/table.ts';
import { levelOf } from './requirements.ts';
import type { CaseFacts, Result } from './verdict.ts';

/** Where the suite writes, and what it inherits. */
export interface ConformanceIo {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** True when `err` is a terminal that can show progress. */
  readonly isTerminal: boolean;
  readonly color: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Exit codes of the suite. */
const EXIT = { ok: 0, findings: 1, usage: 64, unavailable: 69 } as const;

/** What one of the two suites offers to the common part. */
export interface Suite {
  readonly target: string;
  /** Every case there is. */
  readonly all: readonly CaseFacts[];
  /** Cases left out because this kind of target has nothing to judge, with the reason. */
  readonly omitted: readonly { readonly case: CaseFacts; readonly reason: string }[];
  /** Runs the given cases; they are part of `all`. */
  run(cases: readonly CaseFacts[], onResult: (result: Result) => void): Promise<readonly Result[]>;
}

/** Runs the suite as its command line says. Returns the exit code; never throws for what a target does. */
export async function runConformance(argv: readonly string[], io: ConformanceIo): Promise<number> {
  try {
    const options = readOptions(argv, io.env);
    if (options === 'help') {
      io.out(helpText());
      return EXIT.ok;
    }
    const suite = await openSuite(options);
    return options.list ? list(suite, options, io) : await execute(suite, options, io);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    io.err(`conformance: ${error.message}\n`);
    return EXIT.usage;
  }
}

async function openSuite(options: Options): Promise<Suite> {
  if (options.suite === 'server') return (await import('./server/suite.ts')).serverSuite(options);
  return (await import('./client/suite.ts')).clientSuite(options);
}

function select(suite: Suite, options: Options): readonly CaseFacts[] {
  const isNamed = (one: CaseFacts, name: string) => one.id === name || sectionOf(one.id) === name;
  for (const name of options.cases) {
    if (!suite.all.some((one) => isNamed(one, name))) {
      throw new UsageError(`--case: there is no case or section "${name}"; --list shows them all`);
    }
    const omitted = suite.omitted.find(({ case: one }) => one.id === name);
    if (omitted !== undefined) throw new UsageError(`--case: ${name}: ${omitted.reason}`);
  }
  const left = new Set(suite.omitted.map(({ case: one }) => one));
  const offered = suite.all.filter((one) => !left.has(one));
  if (options.cases.length === 0) return offered;
  return offered.filter((one) => options.cases.some((name) => isNamed(one, name)));
}

function list(suite: Suite, options: Options, io: ConformanceIo): number {
  for (const one of select(suite, options)) {
    io.out(`${one.id.padEnd(18)} ${levelOf(one.judges).padEnd(6)} ${one.title}\n`);
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
  const style: Style = { color: io.color, strict: options.strict };
  // Standard output belongs to the report when a machine reads it.
  const isQuiet = options.reports.some((report) => report.file === undefined);
  const say = (text: string) => (isQuiet ? io.err(text) : io.out(text));
  say(`${options.suite} ${suite.target}: ${cases.length} cases\n`);
  for (const [reason, count] of countReasons(suite)) say(`not run: ${count} cases: ${reason}\n`);

  const started = Date.now();
  const progress = new Progress(io, cases.length);
  const results = await suite.run(cases, (result) => {
    progress.clear();
    const line = resultLine(result, style);
    if (line !== undefined) say(`${line}\n`);
    progress.show(result.case.id);
  });
  progress.clear();

  const facts: RunFacts = {
    suite: options.suite,
    target: suite.target,
    profile: options.settings.profile,
    strict: options.strict,
    date: new Date(started).toISOString(),
    ms: Date.now() - started,
  };
  say(`\n${summaryTable(results, style)}\n\n${(facts.ms / 1000).toFixed(1)} s\n`);
  writeReports(options, facts, results, io);
  return conclude(results, listed, options, say);
}

function countReasons(suite: Suite): Map<string, number> {
  const reasons = new Map<string, number>();
  for (const { reason } of suite.omitted) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  return reasons;
}

function writeReports(
  options: Options,
  facts: RunFacts,
  results: readonly Result[],
  io: ConformanceIo,
): void {
  for (const { format, file } of options.reports) {
    const text = format === 'json' ? jsonReport(facts, results) : junitReport(facts, results);
    if (file === undefined) io.out(text);
    else writeTextFile(file, text, '--report');
  }
  if (options.writeBaseline !== undefined) {
    writeTextFile(options.writeBaseline, writeBaseline(results, options.strict), '--write-baseline');
  }
}

function writeTextFile(file: string, text: string, option: string): void {
  try {
    writeFileSync(file, text);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'cannot be written';
    throw new UsageError(`${option}: ${file}: ${code}`);
  }
}

function conclude(
  results: readonly Result[],
  listed: ReadonlySet<string>,
  options: Options,
  say: (text: string) => void,
): number {
  const { news, stale, known } = compare(results, listed, options.strict);
  if (known.length > 0) say(`known failures: ${known.join(' ')}\n`);
  for (const id of stale) say(`${options.baseline}: ${id} passes now: remove its line\n`);
  const isAbsent =
    results.length > 0 &&
    results.every(({ verdict }) => 'failure' in verdict && verdict.failure.kind === 'absent');
  if (isAbsent) return EXIT.unavailable;
  return news.length > 0 || stale.length > 0 ? EXIT.findings : EXIT.ok;
}

/** The line at the bottom of a terminal that says how far the run is. */
class Progress {
  readonly #io: ConformanceIo;
  readonly #total: number;
  #done = 0;

  constructor(io: ConformanceIo, total: number) {
    this.#io = io;
    this.#total = total;
  }

  show(id: string): void {
    this.#done++;
    if (this.#io.isTerminal) this.#io.err(`\r${this.#done}/${this.#total} ${id}`);
  }

  clear(): void {
    if (this.#io.isTerminal) this.#io.err('\r\u001b[K');
  }
}
