import { KeyMap } from './key-map.ts';
import { byKey, byRank, type Entry, OrderedRows, type Rows } from './ordered-rows.ts';
import { TakenError } from './state-error.ts';

/** Options of an index. */
export interface IndexOptions {
  /** Whether each value has at most one row. */
  readonly unique?: boolean;
  /** Order of the rows of one value: `key` for the order of snowflake keys; by default the order of insertion. */
  readonly order?: 'key';
  /** Computes the indexed value from the row, if it differs from the field's value. */
  readonly of?: (row: never) => string | null;
}

/** Value of an indexed field. */
type Indexed = string | number | readonly string[] | null | undefined;

const NONE: Rows<never> = {
  size: 0,
  last: () => [],
  before: () => [],
  after: () => [],
  behind: () => [],
  *[Symbol.iterator]() {},
};

/** Index that finds rows by the value of a field. A field that is a list finds its row by each of its items. */
export class RowIndex<Row> {
  readonly #table: string;
  readonly #field: string;
  readonly #options: IndexOptions;
  readonly #rows = new KeyMap<OrderedRows<Row>>();

  constructor(table: string, field: string, options: IndexOptions) {
    this.#table = table;
    this.#field = field;
    this.#options = options;
  }

  get unique(): boolean {
    return this.#options.unique ?? false;
  }

  rows(value: string): Rows<Row> {
    return this.#rows.get(value) ?? NONE;
  }

  add(entry: Entry<Row>): void {
    const value = this.#valueOf(entry.row);
    // Most fields have a single value, so this case avoids the loop.
    if (typeof value === 'string') this.#addTo(value, entry);
    else for (const one of this.#valuesOf(entry.row)) this.#addTo(one, entry);
  }

  delete(entry: Entry<Row>): void {
    for (const value of this.#valuesOf(entry.row)) this.#deleteFrom(value, entry);
  }

  /** Checks a unique index. @throws TakenError when another row has the same value. */
  check(key: string, row: Row): void {
    if (!this.unique) return;
    for (const value of this.#valuesOf(row)) {
      if (this.rows(value).size > 1)
        throw new TakenError({ table: this.#table, key, field: this.#field, row });
    }
  }

  /** Replaces the row of an entry; must be called before the entry changes. */
  replace(entry: Entry<Row>, next: Row): void {
    const before = this.#valuesOf(entry.row);
    const after = this.#valuesOf(next);
    for (const value of before) if (!after.includes(value)) this.#deleteFrom(value, entry);
    for (const value of after) if (!before.includes(value)) this.#addTo(value, entry);
  }

  #addTo(value: string, entry: Entry<Row>): void {
    let rows = this.#rows.get(value);
    if (rows === undefined) {
      rows = new OrderedRows(this.#options.order === 'key' ? byKey : byRank);
      this.#rows.set(value, rows);
    }
    rows.add(entry);
  }

  #deleteFrom(value: string, entry: Entry<Row>): void {
    const rows = this.#rows.get(value);
    rows?.delete(entry);
    if (rows?.size === 0) this.#rows.delete(value);
  }

  #valueOf(row: Row): Indexed {
    const { of } = this.#options;
    return of === undefined ? (row as Readonly<Record<string, Indexed>>)[this.#field] : of(row as never);
  }

  #valuesOf(row: Row): readonly string[] {
    const value = this.#valueOf(row);
    if (value === null || value === undefined) return [];
    return typeof value === 'object' ? [...new Set(value)] : [String(value)];
  }
}
