import { isSameJson } from '../same-json.ts';
import type { Journaled, RowPosition, Touched } from './journal.ts';
import type { RowOf } from './record.ts';
import type { Kinds } from './tables.ts';

/** Changed rows of one table, each list in the order of the table. */
export interface RowChanges<Row> {
  readonly created: readonly Row[];
  readonly updated: readonly { readonly before: Row; readonly after: Row }[];
  readonly removed: readonly Row[];
}

/** One changed row. The event is emitted after the change is in the state. */
export type RowEvent<K extends Kinds> = {
  [Name in keyof K & string]:
    | { readonly kind: 'created'; readonly table: Name; readonly after: RowOf<K[Name]> }
    | {
        readonly kind: 'updated';
        readonly table: Name;
        readonly before: RowOf<K[Name]>;
        readonly after: RowOf<K[Name]>;
      }
    | { readonly kind: 'removed'; readonly table: Name; readonly before: RowOf<K[Name]> };
}[keyof K & string];

/** All changes of one transaction. The object is emitted once and remains valid afterwards. */
export interface RowEvents<K extends Kinds> {
  /** Number of the transaction, counted from 1 among transactions with changes. */
  readonly number: number;
  /** Changed rows in order: a container is created before its content and removed after it. */
  readonly events: readonly RowEvent<K>[];
}

/** A table or a single record in the form that a commit reads. */
export interface JournaledRows extends Journaled {
  positionOf(key: string): RowPosition | undefined;
  /** All rows, in order. */
  rows(): readonly unknown[];
}

interface TableChanges extends RowChanges<unknown> {
  readonly touched: Touched;
}

const NOTHING: RowChanges<never> = { created: [], updated: [], removed: [] };

/**
 * Net changes of one transaction, without rows that equal their earlier values. Must be read before the next
 * transaction.
 */
export class Commit<K extends Kinds> {
  readonly #stores: ReadonlyMap<string, JournaledRows>;
  readonly #changes = new Map<string, TableChanges>();
  /** Names of the changed tables, in the order of the kinds. */
  readonly names: readonly string[];

  constructor(stores: ReadonlyMap<string, JournaledRows>, touched: ReadonlyMap<Journaled, Touched>) {
    this.#stores = stores;
    for (const [{ name }, keys] of touched) {
      const changes = compare(stores.get(name) as JournaledRows, keys);
      if (changes !== undefined) this.#changes.set(name, changes);
    }
    const changed = this.#changes;
    this.names = [...(changed.size > 1 ? stores : changed).keys()].filter((name) => changed.has(name));
  }

  get isEmpty(): boolean {
    return this.#changes.size === 0;
  }

  /** Whether a row that existed before was changed or removed, in any table except the tables in `except`. */
  takesAway(except: ReadonlySet<string>): boolean {
    return [...this.#changes].some(
      ([name, { updated, removed }]) => !except.has(name) && updated.length + removed.length > 0,
    );
  }

  /** Changes of one table; a single record has at most one change. */
  of<Name extends keyof K & string>(name: Name): RowChanges<RowOf<K[Name]>> {
    return (this.#changes.get(name) ?? NOTHING) as RowChanges<RowOf<K[Name]>>;
  }

  /** Whether one of these tables changed. */
  touches(...names: readonly (keyof K & string)[]): boolean {
    for (const name of names) if (this.#changes.has(name)) return true;
    return false;
  }

  /** Value of a row before the transaction. A single record has no key. */
  was<Name extends keyof K & string>(name: Name, key = ''): RowOf<K[Name]> | undefined {
    const touched = this.#changes.get(name)?.touched;
    if (touched === 'was-empty') return undefined;
    const position = touched?.has(key) ? touched.get(key) : this.#stores.get(name)?.positionOf(key);
    return position?.row as RowOf<K[Name]> | undefined;
  }

  /** All changes, in the order of {@link RowEvents}. */
  *events(): Generator<RowEvent<K>> {
    for (const table of this.names) {
      const { created, updated } = this.of(table);
      for (const after of created) yield { kind: 'created', table, after } as RowEvent<K>;
      for (const change of updated) yield { kind: 'updated', table, ...change } as RowEvent<K>;
    }
    for (const table of this.names.toReversed()) {
      for (const before of this.of(table).removed) yield { kind: 'removed', table, before } as RowEvent<K>;
    }
  }
}

function compare(store: JournaledRows, touched: Touched): TableChanges | undefined {
  if (touched === 'was-empty') {
    const rows = store.rows();
    return rows.length === 0 ? undefined : { ...NOTHING, touched, created: rows };
  }
  const created: RowPosition[] = [];
  const updated: { readonly before: RowPosition; readonly after: RowPosition }[] = [];
  const removed: RowPosition[] = [];
  for (const [key, before] of touched) {
    const after = store.positionOf(key);
    if (before === undefined) {
      if (after !== undefined) created.push(after);
    } else if (after === undefined) removed.push(before);
    else if (!isSameJson(before.row, after.row)) updated.push({ before, after });
  }
  if (created.length + updated.length + removed.length === 0) return undefined;
  const row = (position: RowPosition): unknown => position.row;
  return {
    touched,
    created: created.sort((a, b) => a.rank - b.rank).map(row),
    updated: updated
      .sort((a, b) => a.after.rank - b.after.rank)
      .map(({ before, after }) => ({ before: before.row, after: after.row })),
    removed: removed.sort((a, b) => a.rank - b.rank).map(row),
  };
}
