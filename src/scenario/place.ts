/** A place in a file, from 1. */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** Number of characters that are marked below the line. */
  readonly width?: number;
  /** The line itself; absent where it is not known. */
  readonly source?: string;
}

/** Something that is wrong, and where. */
export interface Problem {
  readonly what: string;
  readonly place: Place | undefined;
  readonly actual?: string;
  readonly expected?: string;
  /** What to do about it. */
  readonly remedy?: string;
}

/** Reason of a failed step. `field` is the field of the step that it is about; by default the first one. */
export class StepFailure extends Error {
  readonly field: string | undefined;
  readonly facts: Pick<Problem, 'actual' | 'expected' | 'remedy'>;
  /** Code with which an operation refused, such as `FOOTBRIDGE_ARGUMENTS`. */
  readonly code: string | undefined;

  constructor(
    what: string,
    facts: Pick<Problem, 'actual' | 'expected' | 'remedy'> = {},
    field?: string,
    code?: string,
  ) {
    super(what);
    this.field = field;
    this.facts = facts;
    this.code = code;
  }
}
