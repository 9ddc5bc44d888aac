import { Failure, NotApplicable, NotRun } from './failure.ts';
import type { Level } from './requirements.ts';

/** Facts of a case for reports, common to both suites. */
export interface CaseFacts {
  /** `section/number`; never reused for another case. */
  readonly id: string;
  /** Expected behaviour in a few words. */
  readonly title: string;
  /** Ids of the tested requirements. */
  readonly requirementIds: readonly string[];
}

/** Outcome of a case. A broken SHOULD warns; with `--strict` it counts as failed. */
export type Verdict =
  | { readonly kind: 'passed' }
  | { readonly kind: 'failed' | 'warned'; readonly failure: FailureFacts }
  /** `not-run`: an option is missing that only the user of the suite can set. */
  | { readonly kind: 'not-applicable' | 'not-run'; readonly reason: string };

/** A failure without its stack. */
interface FailureFacts {
  readonly kind: Failure['kind'] | 'suite';
  readonly expected: string;
  readonly actual: string;
}

/** A case with its verdict. */
export interface Result {
  readonly case: CaseFacts;
  readonly level: Level;
  readonly verdict: Verdict;
  readonly ms: number;
  /** Traffic, one line each; only with `--trace`. */
  readonly trace?: readonly string[];
}

/** Converts a thrown value to a verdict; an error of the suite itself has its own kind, and never prints its stack. */
export function verdictOf(error: unknown, level: Level): Verdict {
  if (error instanceof NotApplicable) return { kind: 'not-applicable', reason: error.message };
  if (error instanceof NotRun) return { kind: 'not-run', reason: error.message };
  const kind = level === 'MUST' ? 'failed' : 'warned';
  if (error instanceof Failure) {
    return { kind, failure: { kind: error.kind, expected: error.expected, actual: error.actual } };
  }
  const actual = error instanceof Error ? `${error.name}: ${error.message}` : 'something that is no error';
  return { kind: 'failed', failure: { kind: 'suite', expected: 'the suite to cope', actual } };
}
