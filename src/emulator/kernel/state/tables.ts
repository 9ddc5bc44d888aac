import type { RecordKind, RowOf } from './record.ts';
import type { ReadSingle, Single } from './single.ts';
import type { ReadTable, Table } from './table.ts';

/** All kinds of record of a state, by name. A kind comes after its parent kind. */
export type Kinds = Readonly<Record<string, RecordKind>>;

/** Tables of a state, read-only. */
export type ReadTables<K extends Kinds> = {
  readonly [Name in keyof K]: K[Name]['singleton'] extends true
    ? ReadSingle<RowOf<K[Name]>>
    : ReadTable<RowOf<K[Name]>>;
};

/** Tables of a state, writable. */
export type Tables<K extends Kinds> = {
  readonly [Name in keyof K]: K[Name]['singleton'] extends true
    ? Single<RowOf<K[Name]>>
    : Table<RowOf<K[Name]> & object>;
};

/** All saved rows, by table; for a single record, its value. */
export type Snapshot<K extends Kinds> = {
  readonly [Name in keyof K as K[Name]['transient'] extends true
    ? never
    : Name]: K[Name]['singleton'] extends true ? RowOf<K[Name]> : readonly RowOf<K[Name]>[];
};
