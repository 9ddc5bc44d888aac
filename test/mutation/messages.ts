/** Name of the channel between the threads of one of Stryker's processes: its runner and the worker with the tests. */
export const CHANNEL = 'mutants';

/** One run of tests that the runner orders. */
export interface TestOrder {
  readonly files: readonly string[];
  /** Modules to load before these files. */
  readonly preload?: readonly string[] | undefined;
  /** Ids of the tests to run; undefined for all of `files`. */
  readonly tests?: readonly string[] | undefined;
  /** Mutant that is active meanwhile: from before the modules load, or from when they have loaded. */
  readonly mutant?: { readonly id: string; readonly active: 'static' | 'runtime' } | undefined;
  /** How often the mutated code may run before that counts as an endless loop. */
  readonly hitLimit?: number | undefined;
  /** Loads every module anew. */
  readonly reload?: boolean;
  /** How long a test may take (ms), by file; where it is not, as the configuration says. */
  readonly timeouts?: Readonly<Record<string, number>>;
  /** Stops at the first failure. */
  readonly bail: boolean;
}

/** One test that has run. */
export interface RanTest {
  readonly id: string;
  readonly name: string;
  readonly file: string;
  readonly ms: number;
  readonly failure?: string | undefined;
}

/** What a run of tests led to. */
export interface RunOutcome {
  readonly tests: readonly RanTest[];
  /** Message of an error outside of a test: a hook, the module of a test file, a promise that nobody awaits. */
  readonly stray?: string | undefined;
  readonly hits: number;
  /** Stryker's coverage, by mutant. */
  readonly coverage?: unknown;
}

/** A message on the channel. */
export type Message =
  | { readonly kind: 'ready' }
  | { readonly kind: 'order'; readonly order: TestOrder }
  | { readonly kind: 'outcome'; readonly outcome: RunOutcome }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'stop' };
