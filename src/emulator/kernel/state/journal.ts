/** A row and its position. */
export interface RowPosition {
  readonly row: unknown;
  readonly rank: number;
  /** Owner that the row is counted for, such as an application; undefined for none. */
  readonly owner?: string | undefined;
}

/** A table or single record whose changes can be undone. */
export interface Journaled {
  readonly name: string;
  /** Number of rows. */
  readonly size: number;
  /** Restores the earlier value of a key; undefined removes the row. The journal does not record this change. */
  putBack(key: string, before: RowPosition | undefined): void;
}

/** Values of changed keys before the transaction; `was-empty` for a table that had no rows at its start. */
export type Touched = ReadonlyMap<string, RowPosition | undefined> | 'was-empty';

interface Note {
  readonly of: Journaled;
  readonly key: string;
  readonly before: RowPosition | undefined;
}

/** Changes since the start of a transaction, so that they can be undone. */
export class Journal {
  #notes: Note[] | undefined;
  /** The changed tables and single records, and whether each was empty at the start of the transaction. */
  readonly #noted = new Map<Journaled, { readonly wasEmpty: boolean }>();

  get isOpen(): boolean {
    return this.#notes !== undefined;
  }

  /** Number of recorded changes; {@link takeBack} accepts it to return to this point. */
  get length(): number {
    return this.#notes?.length ?? 0;
  }

  open(): void {
    this.#notes = [];
  }

  close(): void {
    this.#notes = undefined;
    this.#noted.clear();
  }

  /**
   * Records the earlier value of a key; must be called before each change. @throws Error outside a transaction, because
   * every change must be recorded.
   */
  note(of: Journaled, key: string, before: RowPosition | undefined): void {
    if (this.#notes === undefined) throw new Error(`${of.name} can only be changed in a transaction`);
    if (!this.#noted.has(of)) this.#noted.set(of, { wasEmpty: of.size === 0 });
    this.#notes.push({ of, key, before });
  }

  /** Undoes the latest changes until only the first `length` changes remain. */
  takeBack(length: number): void {
    const notes = this.#notes ?? [];
    while (notes.length > length) {
      const note = notes.pop();
      note?.of.putBack(note.key, note.before);
    }
  }

  /** Value of each changed key at the start of the transaction, by table. */
  touched(): Map<Journaled, Touched> {
    const touched = new Map<Journaled, Touched>();
    const started = new Map<Journaled, Map<string, RowPosition | undefined>>();
    for (const [of, { wasEmpty }] of this.#noted) {
      const keys = new Map<string, RowPosition | undefined>();
      if (!wasEmpty) started.set(of, keys);
      touched.set(of, wasEmpty ? 'was-empty' : keys);
    }
    if (started.size === 0) return touched;
    for (const { of, key, before } of this.#notes ?? []) {
      const keys = started.get(of);
      if (keys !== undefined && !keys.has(key)) keys.set(key, before);
    }
    return touched;
  }
}
