import type { RecordKind, RowOf } from './record.ts';
import type { ReadSingle, Single } from './single.ts';
import type { ReadTable, Table } from './table.ts';

/** All kinds of record of a state, by name; what is written below another comes after it. */
export type Kinds = Readonly<Record<string, RecordKind>>;

/** What a state holds, to look at. */
export type ReadTables<K extends Kinds> = {
  readonly [Name in keyof K]: K[Name]['singleton'] extends true
    ? ReadSingle<RowOf<K[Name]>>
    : ReadTable<RowOf<K[Name]>>;
};

/** What a state holds, to change. */
export type Tables<K extends Kinds> = {
  readonly [Name in keyof K]: K[Name]['singleton'] extends true
    ? Single<RowOf<K[Name]>>
    : Table<RowOf<K[Name]> & object>;
};

/** All that a state keeps, table by table; a record that there is one of stands for itself. */
export type Snapshot<K extends Kinds> = {
  readonly [Name in keyof K as K[Name]['transient'] extends true
    ? never
    : Name]: K[Name]['singleton'] extends true ? RowOf<K[Name]> : readonly RowOf<K[Name]>[];
};
