// Vitest's runner for mutants. Stryker's own starts a worker for each mutant and loads every module into it, which takes far longer
// than the tests do. This one stays in its worker, keeps the modules and only evaluates the file of the test again.
import { setImmediate } from 'node:timers/promises';
import { type File, type Suite, startTests, type Task, type Test } from '@vitest/runner';
import { TestRunner, vi } from 'vitest';
import { instrumentation } from './instrumentation.ts';
import { CHANNEL, type Message, type RanTest, type RunOutcome, type TestOrder } from './messages.ts';

export default class MutantWorker extends TestRunner {
  #order: TestOrder | undefined;
  #failed = false;
  readonly #testTimeout = this.config.testTimeout;
  #lastFile = '';
  #stray: string | undefined;

  override importFile(filepath: string, source: 'collect' | 'setup'): unknown {
    // What `setup` means to Vitest: evaluate that file again, nothing else.
    return super.importFile(filepath, this.#order ? 'setup' : source);
  }

  async onBeforeRunFiles(): Promise<void> {
    if (!this.#order) return this.#serve();
    if (this.#order.mutant?.active === 'runtime') activate(this.#order);
  }

  override async onBeforeRunSuite(suite: Suite): Promise<void> {
    if (this.#failed) suite.mode = 'skip';
    await super.onBeforeRunSuite(suite);
  }

  override async onBeforeRunTask(test: Test): Promise<void> {
    const wanted = this.#order?.tests;
    if (this.#failed || (wanted && !wanted.includes(idOf(test)))) test.mode = 'skip';
    await super.onBeforeRunTask(test);
    if (!this.#order) return;
    const ns = instrumentation();
    ns.currentTestId = idOf(test);
    ns.testsBegun = (ns.testsBegun ?? 0) + 1;
  }

  override onAfterRunTask(test: Test): void {
    super.onAfterRunTask(test);
    if (!this.#order) return;
    instrumentation().currentTestId = undefined;
    if (this.#order.bail && test.result?.state === 'fail') this.#failed = true;
  }

  /** Runs what the other thread orders until it says to stop. */
  async #serve(): Promise<void> {
    // Vitest's main process need not hear of these tests.
    const silent = { onTaskUpdate() {}, onCollected() {}, onAfterRunFiles() {}, onCollectStart() {} };
    Object.assign(this, silent);
    const stray = (reason: unknown): void => {
      this.#stray ??= textOf(reason);
    };
    process.on('unhandledRejection', stray).on('uncaughtException', stray);
    const channel = new BroadcastChannel(CHANNEL);
    const send = (message: Message): void => channel.postMessage(message);
    await new Promise<void>((stop) => {
      channel.onmessage = ({ data }): void => {
        const message = data as Message;
        if (message.kind === 'stop') stop();
        if (message.kind !== 'order') return;
        this.#run(message.order).then(
          (outcome) => send({ kind: 'outcome', outcome }),
          (error: unknown) => send({ kind: 'failed', message: textOf(error) }),
        );
      };
      send({ kind: 'ready' });
    });
    channel.close();
    this.#order = { files: [], bail: true };
  }

  async #run(order: TestOrder): Promise<RunOutcome> {
    this.#order = order;
    this.#failed = false;
    this.#stray = undefined;
    if (order.reload) vi.resetModules();
    const ns = instrumentation();
    ns.activeMutant = undefined;
    ns.mutantCoverage = undefined;
    ns.hitCount = 0;
    if (order.mutant?.active === 'static') activate(order);
    for (const file of order.preload ?? []) await this.importFile(file, 'setup');
    const testNamePattern = patternOf(order);
    const files: File[] = [];
    for (const filepath of order.files) {
      if (this.#failed) break;
      if (filepath !== this.#lastFile && (isApart(filepath) || isApart(this.#lastFile))) vi.resetModules();
      this.#lastFile = filepath;
      const testTimeout = order.timeouts?.[filepath] ?? this.#testTimeout;
      Object.assign(this.config, { testNamePattern, testTimeout });
      files.push(...(await startTests([filepath], this)));
      putBack();
    }
    // What nobody awaits is reported a turn later.
    await setImmediate();
    ns.activeMutant = undefined;
    const broken = files.flatMap(brokenIn)[0];
    return {
      tests: files.flatMap(ranIn),
      stray: broken ?? this.#stray,
      hits: ns.hitCount ?? 0,
      coverage: structuredClone(ns.mutantCoverage),
    };
  }
}

function activate({ mutant, hitLimit }: TestOrder): void {
  Object.assign(instrumentation(), { activeMutant: mutant?.id, hitLimit, hitCount: 0 });
}

/** What `npm test` gives a process of its own gets modules of its own here, with clocks that nobody else has set. */
function isApart(file: string): boolean {
  return file.endsWith('.own.test.ts');
}

/** What a test file may leave behind when it fails half-way. */
function putBack(): void {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  vi.resetConfig();
}

/** Id of a test as Stryker writes it: the file and all its names. */
function idOf(test: Task): string {
  return `${test.file.filepath}#${nameOf(test)}`;
}

function nameOf({ name, suite }: Task): string {
  return suite ? `${nameOf(suite)} ${name}`.trim() : name;
}

/** Lets Vitest skip the suites, and with them the hooks, of which no test is wanted. */
function patternOf({ tests }: TestOrder): RegExp | undefined {
  if (!tests) return undefined;
  const names = tests.map((id) => id.slice(id.indexOf('#') + 1));
  return new RegExp(names.map((name) => name.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')).join('|'));
}

function testsIn(task: Task): Test[] {
  return task.type === 'test' ? [task] : task.tasks.flatMap(testsIn);
}

function ranIn(file: File): RanTest[] {
  return testsIn(file).flatMap((test) => {
    const { state, duration = 0, errors } = test.result ?? {};
    if (state !== 'pass' && state !== 'fail') return [];
    const failure = state === 'fail' ? (errors?.[0]?.message ?? 'failed') : undefined;
    return [{ id: idOf(test), name: nameOf(test), file: file.filepath, ms: duration, failure }];
  });
}

/** Errors of hooks and of the file itself. */
function brokenIn(task: Task): string[] {
  if (task.type === 'test') return [];
  return [
    ...(task.result?.errors ?? []).map((error) => error.message ?? 'failed'),
    ...task.tasks.flatMap(brokenIn),
  ];
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
