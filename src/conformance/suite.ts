import type { CaseFacts, Result } from './verdict.ts';

/** Common interface of the two suites. */
export interface Suite {
  readonly target: string;
  /** Every case. */
  readonly all: readonly CaseFacts[];
  /** Cases that do not apply to this kind of target, with the reason. */
  readonly omitted: readonly { readonly case: CaseFacts; readonly reason: string }[];
  /** Reaches or starts the target, before any case. Throws `Unavailable`. */
  reach(): Promise<void>;
  /** Runs some cases of `all`. Cases that `signal` interrupts have no result. */
  run(
    cases: readonly CaseFacts[],
    onResult: (result: Result) => void,
    signal: AbortSignal,
  ): Promise<readonly Result[]>;
}
