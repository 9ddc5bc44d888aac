import { isSameJson } from '../same-json.ts';
import type { Journal, Journaled, Place } from './journal.ts';
import { KeyMap } from './key-map.ts';
import { byRank, type Entry, OrderedRows, type Rows } from './ordered-rows.ts';
import { ENTRY_BYTES, Room } from './room.ts';
import { bytesOf } from './row-bytes.ts';
import { type IndexOptions, RowIndex } from './row-index.ts';
import { TakenError } from './state-error.ts';

/** What a table is made of. */
export interface TableOptions {
  readonly name: string;
  /** The fields that tell two rows apart. */
  readonly key: readonly string[];
  /** The fields that rows are found by. */
  readonly indexes: ReadonlyMap<string, IndexOptions>;
}

/** A table as anybody may look at it. A row is never changed: another takes its place. */
export interface ReadTable<Row> extends Iterable<Row> {
  readonly size: number;
  /** The row with this key; of a key of several fields, all of them in their order. */
  get(...key: readonly string[]): Row | undefined;
  has(...key: readonly string[]): boolean;
  /** The key of a row: its key fields, with a space between them. */
  keyOf(row: Row): string;
  /** The rows that hold this value in a field with an index, or have it in one that is a list. */
  by(field: keyof Row & string, value: string): Rows<Row>;
}

/** An entry that remembers how many bytes its row was counted with. */
interface Counted<Row> extends Entry<Row> {
  bytes: number;
}

/** The rows of one kind, in the order in which they were put there. Changes need an open transaction. */
export class Table<Row extends object> implements ReadTable<Row>, Journaled {
  readonly name: string;
  readonly #journal: Journal;
  readonly #key: readonly string[];
  readonly #room: Room;
  readonly #entries = new KeyMap<Counted<Row>>();
  readonly #order = new OrderedRows<Row>(byRank);
  readonly #indexes: ReadonlyMap<string, RowIndex<Row>>;
  /** Those in which a value may stand only once. */
  readonly #unique: readonly RowIndex<Row>[];
  /** Rank of the next row. */
  #next = 0;

  /** Its rows are counted in `room`. */
  constructor({ name, key, indexes }: TableOptions, journal: Journal, room = new Room()) {
    this.name = name;
    this.#room = room;
    this.#key = key;
    this.#journal = journal;
    this.#indexes = new Map(
      [...indexes].map(([field, options]) => [field, new RowIndex<Row>(name, field, options)]),
    );
    this.#unique = [...this.#indexes.values()].filter(({ unique }) => unique);
  }

  get size(): number {
    return this.#entries.size;
  }

  get(...key: readonly string[]): Row | undefined {
    return this.#entries.get(key.join(' '))?.row;
  }

  has(...key: readonly string[]): boolean {
    return this.#entries.get(key.join(' ')) !== undefined;
  }

  by(field: keyof Row & string, value: string): Rows<Row> {
    const index = this.#indexes.get(field);
    if (index === undefined) throw new Error(`${this.name} has no index of ${field}`);
    return index.rows(value);
  }

  [Symbol.iterator](): Iterator<Row> {
    return this.#order[Symbol.iterator]();
  }

  keyOf(row: Row): string {
    const fields = row as Readonly<Record<string, string | number>>;
    let key = String(fields[this.#key[0] ?? '']);
    for (let at = 1; at < this.#key.length; at += 1) key += ` ${fields[this.#key[at] ?? '']}`;
    return key;
  }

  rows(): readonly Row[] {
    return [...this];
  }

  /** Where a row stands among the others, until it changes; undefined when there is none. */
  place(key: string): Place | undefined {
    return this.#entries.get(key);
  }

  /** Puts a new row at the end. Throws `TakenError`. */
  insert(row: Row): Row {
    const key = this.keyOf(row);
    if (this.#entries.get(key) !== undefined) throw new TakenError({ table: this.name, key, row });
    this.#journal.note(this, key, undefined);
    this.#add(key, row, this.#next++);
    return row;
  }

  /** Puts a row where the one with its key stands, or else at the end. */
  put(row: Row): Row {
    const entry = this.#entries.get(this.keyOf(row));
    if (entry === undefined) return this.insert(row);
    this.#replace(entry, row);
    return row;
  }

  /** The same, but at the end in any case. */
  putLast(row: Row): Row {
    this.remove(this.keyOf(row));
    return this.insert(row);
  }

  /** Changes fields of a row and returns the whole; the key cannot be changed. Throws an Error when there is no such row. */
  update(key: string, fields: Partial<Row>): Row {
    const row = { ...this.#existing(key).row, ...fields };
    if (this.keyOf(row) !== key) throw new Error(`the key of a row of ${this.name} cannot change`);
    return this.replace(row);
  }

  /** Puts a row in the place of the one with its key. Throws an Error when there is no such row. */
  replace(row: Row): Row {
    this.#replace(this.#existing(this.keyOf(row)), row);
    return row;
  }

  /** Takes a row out; false when there is none. What refers to it is seen to when the transaction ends. */
  remove(key: string): boolean {
    const entry = this.#entries.get(key);
    if (entry === undefined) return false;
    this.#journal.note(this, key, { row: entry.row, rank: entry.rank });
    this.#delete(entry);
    return true;
  }

  /** Takes out the rows that were put there first, until there are no more than `count`. */
  keepLast(count: number): void {
    for (const row of [...this]) {
      if (this.size <= count) return;
      this.remove(this.keyOf(row));
    }
  }

  /** Makes these the rows, in this order; a row that is there already stays. Throws `TakenError`. */
  become(rows: readonly Row[]): void {
    if (this.size === 0) {
      for (const row of rows) this.insert(row);
      return;
    }
    const wanted = new Set<string>();
    for (const row of rows) {
      const key = this.keyOf(row);
      if (wanted.has(key)) throw new TakenError({ table: this.name, key, row });
      wanted.add(key);
    }
    for (const key of [...this.#entries.keys()]) if (!wanted.has(key)) this.remove(key);
    let last = -1;
    for (const row of rows) {
      const entry = this.#entries.get(this.keyOf(row));
      if (entry !== undefined && entry.rank > last) {
        if (entry.row !== row) this.#settle(entry, row);
      } else {
        this.putLast(row);
      }
      last = this.#entries.get(this.keyOf(row))?.rank ?? last;
    }
  }

  /** Throws `TakenError` for a row that has a value which only one may have; to be asked when a transaction ends. */
  checkUnique(row: Row): void {
    for (const index of this.#unique) index.check(this.keyOf(row), row);
  }

  putBack(key: string, before: Place | undefined): void {
    const entry = this.#entries.get(key);
    if (entry !== undefined) this.#delete(entry);
    if (before !== undefined) this.#add(key, before.row as Row, before.rank);
  }

  #existing(key: string): Counted<Row> {
    const entry = this.#entries.get(key);
    if (entry === undefined) throw new Error(`${this.name} has no row ${key}`);
    return entry;
  }

  /** An equal row changes nothing; it takes the place, so that whoever handed it in keeps no second one. */
  #settle(entry: Counted<Row>, row: Row): void {
    if (isSameJson(entry.row, row)) this.#hold(entry, row);
    else this.#replace(entry, row);
  }

  #replace(entry: Counted<Row>, row: Row): void {
    this.#journal.note(this, entry.key, { row: entry.row, rank: entry.rank });
    for (const index of this.#indexes.values()) index.replace(entry, row);
    this.#hold(entry, row);
  }

  #hold(entry: Counted<Row>, row: Row): void {
    this.#room.leave(entry.row, entry.bytes);
    entry.row = row;
    entry.bytes = ENTRY_BYTES + bytesOf(row);
    this.#room.enter(row, entry.bytes);
  }

  #add(key: string, row: Row, rank: number): void {
    const entry: Counted<Row> = { key, row, rank, bytes: ENTRY_BYTES + bytesOf(row) };
    this.#room.enter(row, entry.bytes);
    this.#entries.set(entry.key, entry);
    this.#order.add(entry);
    for (const index of this.#indexes.values()) index.add(entry);
  }

  #delete(entry: Counted<Row>): void {
    this.#room.leave(entry.row, entry.bytes);
    this.#entries.delete(entry.key);
    this.#order.delete(entry);
    for (const index of this.#indexes.values()) index.delete(entry);
  }
}
