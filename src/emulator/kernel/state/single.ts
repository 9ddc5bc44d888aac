import type { Journal, Journaled, RowPosition } from './journal.ts';
import { Room } from './room.ts';
import { bytesOf } from './row-bytes.ts';

/** A single record, read-only. */
export interface ReadSingle<Row> {
  readonly value: Row;
}

/** A single record, such as the settings of the client. Changes need an open transaction. */
export class Single<Row> implements ReadSingle<Row>, Journaled {
  readonly name: string;
  readonly #journal: Journal;
  readonly #room: Room;
  #value: Row | undefined;

  /** `room` counts the bytes of the record. */
  constructor(name: string, journal: Journal, room = new Room()) {
    this.name = name;
    this.#room = room;
    this.#journal = journal;
  }

  /** Current value. @throws Error before the first `set`, which is a defect of the caller. */
  get value(): Row {
    if (this.#value === undefined) throw new Error(`${this.name} has not been set`);
    return this.#value;
  }

  get size(): number {
    return this.#value === undefined ? 0 : 1;
  }

  rows(): readonly unknown[] {
    return this.#value === undefined ? [] : [this.#value];
  }

  positionOf(): RowPosition | undefined {
    return this.#value === undefined ? undefined : { row: this.#value, rank: 0 };
  }

  set(value: Row): Row {
    this.#journal.note(this, '', this.positionOf());
    this.#become(value);
    return value;
  }

  /** Changes fields of a record that is an object. */
  update(fields: Partial<Row>): Row {
    return this.set({ ...this.value, ...fields });
  }

  putBack(_key: string, before: RowPosition | undefined): void {
    this.#become(before?.row as Row | undefined);
  }

  #become(value: Row | undefined): void {
    this.#room.add(bytesOf(value) - bytesOf(this.#value));
    this.#value = value;
  }
}
