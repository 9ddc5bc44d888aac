import { isSameJson } from '../same-json.ts';
import type { Journal, Journaled, RowPosition } from './journal.ts';
import { KeyMap } from './key-map.ts';
import { byRank, type Entry, OrderedRows, type Rows } from './ordered-rows.ts';
import { ENTRY_BYTES, Room } from './room.ts';
import { bytesOf } from './row-bytes.ts';
import { type IndexOptions, RowIndex } from './row-index.ts';
import { TakenError } from './state-error.ts';

/** Configuration of a table. */
export interface TableOptions {
  readonly name: string;
  /** Fields that identify a row. */
  readonly key: readonly string[];
  /** Indexed fields. */
  readonly indexes: ReadonlyMap<string, IndexOptions>;
}

/** Read-only view of a table. A row is never changed; another row replaces it. */
export interface ReadTable<Row> extends Iterable<Row> {
  readonly size: number;
  /** The row with this key. For a key of several fields, the arguments are all fields in their order. */
  get(...key: readonly string[]): Row | undefined;
  has(...key: readonly string[]): boolean;
  /** Key of a row: the values of its key fields, separated by spaces. */
  keyOf(row: Row): string;
  /** The rows with this value in an indexed field; for a field that is a list, the rows with this item. */
  by(field: keyof Row & string, value: string): Rows<Row>;
}

/** An entry with the counted bytes of its row, and the owner they are counted for: whoever last made the row larger. */
interface Counted<Row> extends Entry<Row> {
  bytes: number;
  owner: string | undefined;
}

/** Rows of one kind, in the order of insertion. Changes need an open transaction. */
export class Table<Row extends object> implements ReadTable<Row>, Journaled {
  readonly name: string;
  readonly #journal: Journal;
  readonly #key: readonly string[];
  readonly #room: Room;
  readonly #entries = new KeyMap<Counted<Row>>();
  readonly #order = new OrderedRows<Row>(byRank);
  readonly #indexes: ReadonlyMap<string, RowIndex<Row>>;
  /** Indexes with at most one row for each value. */
  readonly #unique: readonly RowIndex<Row>[];
  /** Rank of the next row. */
  #next = 0;

  /** `room` counts the bytes of the rows. */
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

  /** Whether rows must differ in more than their keys. */
  get hasUnique(): boolean {
    return this.#unique.length > 0;
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

  /** Position of a row, valid until the row changes; undefined for a missing row. */
  positionOf(key: string): RowPosition | undefined {
    return this.#entries.get(key);
  }

  /** Adds a new row at the end. @throws TakenError */
  insert(row: Row): Row {
    const key = this.keyOf(row);
    if (this.#entries.get(key) !== undefined) throw new TakenError({ table: this.name, key, row });
    this.#journal.note(this, key, undefined);
    this.#add(key, row, this.#next++, this.#room.shares.owner);
    return row;
  }

  /** Replaces the row with the same key, or adds it at the end. */
  put(row: Row): Row {
    const entry = this.#entries.get(this.keyOf(row));
    if (entry === undefined) return this.insert(row);
    this.#replace(entry, row);
    return row;
  }

  /** Moves a row to the end of the table, or adds a new row there. */
  putLast(row: Row): Row {
    this.remove(this.keyOf(row));
    return this.insert(row);
  }

  /** Changes fields of a row and returns the new row; the key cannot be changed. @throws Error for a missing row. */
  update(key: string, fields: Partial<Row>): Row {
    const row = { ...this.#existing(key).row, ...fields };
    if (this.keyOf(row) !== key) throw new Error(`the key of a row of ${this.name} cannot change`);
    return this.replace(row);
  }

  /** Replaces the row with the same key. @throws Error for a missing row. */
  replace(row: Row): Row {
    this.#replace(this.#existing(this.keyOf(row)), row);
    return row;
  }

  /** Removes a row; false for a missing row. References to the row are resolved when the transaction ends. */
  remove(key: string): boolean {
    const entry = this.#entries.get(key);
    if (entry === undefined) return false;
    this.#journal.note(this, key, { row: entry.row, rank: entry.rank, owner: entry.owner });
    this.#delete(entry);
    return true;
  }

  /** Removes the oldest rows until at most `count` rows remain. */
  keepLast(count: number): void {
    for (const row of [...this]) {
      if (this.size <= count) return;
      this.remove(this.keyOf(row));
    }
  }

  /** Replaces all rows by `rows`, in this order; a row with an equal value stays. @throws TakenError */
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

  /**
   * Checks the unique indexes for a row; must be called when a transaction ends. @throws TakenError when another row
   * has the same value in a unique index.
   */
  checkUnique(row: Row): void {
    for (const index of this.#unique) index.check(this.keyOf(row), row);
  }

  putBack(key: string, before: RowPosition | undefined): void {
    const entry = this.#entries.get(key);
    if (entry !== undefined) this.#delete(entry);
    if (before !== undefined) this.#add(key, before.row as Row, before.rank, before.owner);
  }

  #existing(key: string): Counted<Row> {
    const entry = this.#entries.get(key);
    if (entry === undefined) throw new Error(`${this.name} has no row ${key}`);
    return entry;
  }

  /**
   * An equal row counts as no change. It still replaces the stored object, so that memory does not hold both the stored
   * and the caller's object.
   */
  #settle(entry: Counted<Row>, row: Row): void {
    if (isSameJson(entry.row, row)) this.#hold(entry, row);
    else this.#replace(entry, row);
  }

  #replace(entry: Counted<Row>, row: Row): void {
    this.#journal.note(this, entry.key, { row: entry.row, rank: entry.rank, owner: entry.owner });
    for (const index of this.#indexes.values()) index.replace(entry, row);
    this.#hold(entry, row);
  }

  #hold(entry: Counted<Row>, row: Row): void {
    const bytes = ENTRY_BYTES + bytesOf(row);
    this.#room.leave(entry.row, entry.bytes, entry.owner);
    if (bytes > entry.bytes) entry.owner = this.#room.shares.owner ?? entry.owner;
    entry.row = row;
    entry.bytes = bytes;
    this.#room.enter(row, bytes, entry.owner);
  }

  #add(key: string, row: Row, rank: number, owner: string | undefined): void {
    const entry: Counted<Row> = { key, row, rank, bytes: ENTRY_BYTES + bytesOf(row), owner };
    this.#room.enter(row, entry.bytes, owner);
    this.#entries.set(entry.key, entry);
    this.#order.add(entry);
    for (const index of this.#indexes.values()) index.add(entry);
  }

  #delete(entry: Counted<Row>): void {
    this.#room.leave(entry.row, entry.bytes, entry.owner);
    this.#entries.delete(entry.key);
    this.#order.delete(entry);
    for (const index of this.#indexes.values()) index.delete(entry);
  }
}
