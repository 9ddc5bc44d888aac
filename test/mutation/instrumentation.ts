/** What Stryker's instrumented code reads and counts. */
interface Instrumentation {
  activeMutant?: string | undefined;
  currentTestId?: string | undefined;
  hitCount?: number | undefined;
  hitLimit?: number | undefined;
  mutantCoverage?: unknown;
  /** Ours: how many tests have begun in this process. */
  testsBegun?: number | undefined;
}

const NAMESPACE = '__stryker__';

/** Where that code looks for it. */
export function instrumentation(): Instrumentation {
  const all = globalThis as typeof globalThis & { [NAMESPACE]?: Instrumentation };
  all[NAMESPACE] ??= {};
  return all[NAMESPACE];
}
