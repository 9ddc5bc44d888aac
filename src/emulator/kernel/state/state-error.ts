/** A row that the state refuses. */
interface WrongRow {
  readonly table: string;
  /** Empty for a single record. */
  readonly key: string;
  /** The invalid field; undefined when the error concerns the whole row. */
  readonly field?: string | undefined;
  readonly row: unknown;
}

/** The state refuses a row. */
export class StateError extends Error {
  readonly table: string;
  readonly key: string;
  readonly field: string | undefined;
  /** Private, so that a printed error does not reveal secrets in the row. */
  readonly #row: unknown;

  constructor(message: string, { table, key, field, row }: WrongRow) {
    super(message);
    this.table = table;
    this.key = key;
    this.field = field;
    this.#row = row;
  }

  get row(): unknown {
    return this.#row;
  }
}

/** Another row already has this key, or this value of a unique field. */
export class TakenError extends StateError {
  constructor(wrong: WrongRow) {
    super(`${wrong.table} ${wrong.key}: ${wrong.field ?? 'the key'} is taken`, wrong);
    this.name = 'TakenError';
  }
}

/** A row refers to a row that is missing, or that it may not refer to. */
export class BrokenReferenceError extends StateError {
  /** Position of the item in a field that is a list. */
  readonly item: number | undefined;
  /** Table of the target. */
  readonly to: string;
  /** The property that the target lacks; undefined when the target is missing. */
  readonly lacks: string | undefined;
  /** Reason why this row may not refer to this target, such as `of another guild`. */
  readonly misfit: string | undefined;

  constructor(
    wrong: WrongRow,
    fault: {
      readonly item?: number | undefined;
      readonly to: string;
      readonly lacks?: string | undefined;
      readonly misfit?: string | undefined;
    },
  ) {
    const wrongly = fault.lacks === undefined ? fault.misfit : `without ${fault.lacks}`;
    const what = wrongly === undefined ? `no row of ${fault.to}` : `a row ${wrongly}`;
    super(`${wrong.table} ${wrong.key}: ${wrong.field ?? 'it'} names ${what}`, wrong);
    this.name = 'BrokenReferenceError';
    this.item = fault.item;
    this.to = fault.to;
    this.lacks = fault.lacks;
    this.misfit = fault.misfit;
  }
}
