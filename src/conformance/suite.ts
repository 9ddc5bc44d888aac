import type { CaseFacts, Result } from './verdict.ts';

/** What one of the two suites offers to the common part. */
export interface Suite {
  readonly target: string;
  /** Every case there is. */
  readonly all: readonly CaseFacts[];
  /** Cases left out because this kind of target has nothing to judge, with the reason. */
  readonly omitted: readonly { readonly case: CaseFacts; readonly reason: string }[];
  /** Reaches or starts the target, before any case. Throws `Unavailable`. */
  reach(): Promise<void>;
  /** Runs the given cases, which are part of `all`. Those that `signal` keeps from ending have no result. */
  run(
    cases: readonly CaseFacts[],
    onResult: (result: Result) => void,
    signal: AbortSignal,
  ): Promise<readonly Result[]>;
}
