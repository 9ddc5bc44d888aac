/** Category of a failure; reports distinguish the categories. */
export type FailureKind = 'wrong' | 'silent' | 'unclean' | 'gone' | 'absent' | 'flood' | 'prerequisite';

/** Failure of the target in a case. `expected` and `actual` are one line each. */
export class Failure extends Error {
  override readonly name = 'Failure';
  readonly kind: FailureKind;
  readonly expected: string;
  readonly actual: string;

  constructor(expected: string, actual: string, kind: FailureKind = 'wrong') {
    super(`expected ${expected}, got ${actual}`);
    this.kind = kind;
    this.expected = expected;
    this.actual = actual;
  }
}

/** The target does not claim the profile of the tested feature, and refused the feature accordingly. */
export class NotApplicable extends Error {
  override readonly name = 'NotApplicable';
}

/** The case needs an option that is missing, so the target was not tested. `reason` names the option. */
export class NotRun extends Error {
  override readonly name = 'NotRun';
}

/** Reason why cases after the first failure do not run with `--fail-fast`. */
export const STOPPED = 'a case has failed, and --fail-fast ends the run there';
/** Reason why cases do not run after a signal. */
export const INTERRUPTED = 'the run was interrupted';

/** The target cannot be reached or started, so no case can run. */
export class Unavailable extends Error {
  override readonly name = 'Unavailable';
}

/** Invalid options, baseline or vector file, which the caller must correct. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Throws a {@link Failure} unless `holds`. */
export function verify(holds: boolean, expected: string, actual: string | (() => string)): void {
  if (!holds) throw new Failure(expected, typeof actual === 'string' ? actual : actual());
}
