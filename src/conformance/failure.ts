/** What kind of wrong a failure is; reports keep them apart. */
export type FailureKind = 'wrong' | 'silent' | 'unclean' | 'gone' | 'absent' | 'flood' | 'prerequisite';

/** The target did something else than the case allows. `expected` and `actual` are one line each. */
export class Failure extends Error {
  readonly kind: FailureKind;
  readonly expected: string;
  readonly actual: string;

  constructor(expected: string, actual: string, kind: FailureKind = 'wrong') {
    super(`expected ${expected}, got ${actual}`);
    this.name = 'Failure';
    this.kind = kind;
    this.expected = expected;
    this.actual = actual;
  }
}

/** The case asks for something outside the profile the target claims, and the target said so. */
export class NotApplicable extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'NotApplicable';
  }
}

/** What the case needs was not given to the suite: nothing is known of the target. `reason` says what to give. */
export class NotRun extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'NotRun';
  }
}

/** Why cases are not run behind a failure that ends the run, or behind a signal. */
export const STOPPED = 'a case has failed, and --fail-fast ends the run there';
/** The same for a run that somebody has ended. */
export const INTERRUPTED = 'the run was interrupted';

/** The target cannot be reached or started, so that there is nothing to judge. */
export class Unavailable extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'Unavailable';
  }
}

/** Bad options, baseline or vector file: the person who started the suite has to change something. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}

/** Throws a {@link Failure} unless `holds`. */
export function verify(holds: boolean, expected: string, actual: string | (() => string)): void {
  if (!holds) throw new Failure(expected, typeof actual === 'string' ? actual : actual());
}
