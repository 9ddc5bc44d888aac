import { readFileSync, writeFileSync } from 'node:fs';
import type { MutantCoverage } from '@stryker-mutator/api/core';
import {
  type DryRunOptions,
  type DryRunResult,
  DryRunStatus,
  determineHitLimitReached,
  type MutantRunOptions,
  type MutantRunResult,
  MutantRunStatus,
  type TestResult,
  type TestRunner,
  type TestRunnerCapabilities,
  TestStatus,
} from '@stryker-mutator/api/test-runner';
import { createVitest, type Vitest } from 'vitest/node';
import { FOLDERS, type MutatedFolder } from './folders.ts';
import { CHANNEL, type Message, type RanTest, type RunOutcome, type TestOrder } from './messages.ts';

const CONFIG = 'test/mutation/vitest.config.ts';
const START = 'test/mutation/start.ts';
/** How long the tests took without a mutant: written by the first of Stryker's processes, in the sandbox that all share. */
const TIMES = '.times.json';
/** Many mutants make a test wait for what never comes, which is not to take as long as in `npm test`. */
const MIN_TIMEOUT_MS = 1500;
const TIMEOUT_FACTOR = 2;

/** Time of all tests of a file and of its longest (ms), by file. */
type Times = Readonly<Record<string, { readonly all: number; readonly longest: number }>>;

/** Stryker's test runner: one Vitest worker for many mutants. See `worker.ts`. */
export class MutantRunner implements TestRunner {
  #vitest: Vitest | undefined;
  #files: readonly string[] = [];
  readonly #channel = new BroadcastChannel(CHANNEL);

  capabilities(): TestRunnerCapabilities {
    return { reloadEnvironment: true };
  }

  async init(): Promise<void> {
    this.#vitest = await createVitest('test', { config: CONFIG, watch: false });
    const found = await this.#vitest.globTestSpecifications();
    this.#files = found.map(({ moduleId }) => moduleId).filter((file) => !file.endsWith(START));
    const ready = this.#next();
    const ended = this.#vitest.start([START]).then(({ unhandledErrors: [error] }) => {
      throw error ?? new Error('Vitest has ended before its tests');
    });
    await Promise.race([ready, ended]);
    // From here on an end is what `dispose` asks for, or shows in the next order.
    ended.catch(() => {});
  }

  async dryRun({ files: mutated }: DryRunOptions): Promise<DryRunResult> {
    const { tests, stray, coverage } = await this.#order({
      files: this.#files,
      // Otherwise the test that loads a module would count as the one that runs the module's constants.
      preload: folder()?.ignoreStatic ? mutated : undefined,
      bail: false,
    });
    if (stray !== undefined) return { status: DryRunStatus.Error, errorMessage: stray };
    writeFileSync(TIMES, JSON.stringify(timesOf(tests)));
    return {
      status: DryRunStatus.Complete,
      tests: tests.map(asResult),
      mutantCoverage: coverage as MutantCoverage,
    };
  }

  async mutantRun(options: MutantRunOptions): Promise<MutantRunResult> {
    const { testFilter, activeMutant, mutantActivation, hitLimit } = options;
    const times = JSON.parse(readFileSync(TIMES, 'utf8')) as Times;
    const files = testFilter ? [...new Set(testFilter.map(fileOf))] : [...this.#files];
    const order: TestOrder = {
      // In the order in which a failure is found soonest.
      files: files.sort((a, b) => (times[a]?.all ?? 0) - (times[b]?.all ?? 0)),
      tests: testFilter,
      timeouts: Object.fromEntries(
        Object.entries(times).map(([file, { longest }]) => [file, MIN_TIMEOUT_MS + TIMEOUT_FACTOR * longest]),
      ),
      mutant: { id: activeMutant.id, active: mutantActivation },
      hitLimit,
      reload: options.reloadEnvironment,
      bail: true,
    };
    const outcome = await this.#order(order);
    if (determineHitLimitReached(outcome.hits, hitLimit)) return { status: MutantRunStatus.Timeout };
    const failed = outcome.tests.find(({ failure }) => failure !== undefined);
    if (failed) {
      if (mutantActivation === 'runtime') await this.#passesWithout(failed);
      return killed(outcome, failed.id, failed.failure);
    }
    const again = await this.#again(order, outcome);
    const late = again.tests.find(({ failure }) => failure !== undefined);
    if (late) {
      await this.#passesWithout(late);
      return killed(again, late.id, late.failure);
    }
    // An error that nobody awaits may be of the mutant before: what is this one's comes again.
    if (again.stray !== undefined) return killed(again, testFilter?.[0] ?? again.tests[0]?.id, again.stray);
    return { status: MutantRunStatus.Survived, nrOfTests: outcome.tests.length };
  }

  /** A second look at a mutant that no test has noticed, where the first may have missed something. */
  async #again(order: TestOrder, outcome: RunOutcome): Promise<RunOutcome> {
    if (folder()?.lazy && order.mutant?.active === 'runtime') {
      const mutant = { ...order.mutant, active: 'static' } as const;
      const whole = { ...order, files: this.#files, tests: undefined, mutant, reload: true };
      const answer = await this.#order(whole);
      // The modules have values of the mutant now.
      await this.#order({ files: [], bail: true, reload: true });
      return answer;
    }
    return outcome.stray === undefined ? outcome : this.#order({ ...order, reload: true });
  }

  async dispose(): Promise<void> {
    this.#channel.postMessage({ kind: 'stop' } satisfies Message);
    await this.#vitest?.close();
    this.#channel.close();
  }

  /** Proves that a test failed because of its mutant. Otherwise Stryker starts the process anew and tries again. */
  async #passesWithout({ file, id, name }: RanTest): Promise<void> {
    const { tests } = await this.#order({ files: [file], tests: [id], bail: true });
    if (tests.length === 0 || tests.some(({ failure }) => failure !== undefined))
      throw new Error(`A mutant has left something behind: ${name}`);
  }

  async #order(order: TestOrder): Promise<RunOutcome> {
    const answer = this.#next();
    this.#channel.postMessage({ kind: 'order', order } satisfies Message);
    const message = await answer;
    if (message.kind === 'outcome') return message.outcome;
    throw new Error(message.kind === 'failed' ? message.message : `Unexpected: ${message.kind}`);
  }

  #next(): Promise<Message> {
    return new Promise((resolve) => {
      this.#channel.onmessage = ({ data }): void => resolve(data as Message);
    });
  }
}

function folder(): MutatedFolder | undefined {
  return FOLDERS[process.env['MUTATED_FOLDER'] ?? ''];
}

function timesOf(tests: readonly RanTest[]): Times {
  const times: Record<string, { all: number; longest: number }> = {};
  for (const { file, ms } of tests) {
    const { all, longest } = times[file] ?? { all: 0, longest: 0 };
    times[file] = { all: all + ms, longest: Math.max(longest, ms) };
  }
  return times;
}

function fileOf(id: string): string {
  return id.slice(0, id.indexOf('#'));
}

function killed({ tests }: RunOutcome, by: string | undefined, failureMessage = ''): MutantRunResult {
  return {
    status: MutantRunStatus.Killed,
    killedBy: by === undefined ? [] : [by],
    failureMessage,
    nrOfTests: tests.length,
  };
}

function asResult({ id, name, file, ms, failure }: RanTest): TestResult {
  const common = { id, name, fileName: file, timeSpentMs: ms };
  if (failure === undefined) return { ...common, status: TestStatus.Success };
  return { ...common, status: TestStatus.Failed, failureMessage: failure };
}
