/** A row and the place where it stood. */
export interface Place {
  readonly row: unknown;
  readonly rank: number;
}

/** What a journal can take back. */
export interface Journaled {
  readonly name: string;
  /** How many rows it has. */
  readonly size: number;
  /** Puts a key back to what it held before; undefined takes the row out. Notes nothing. */
  putBack(key: string, before: Place | undefined): void;
}

/** What keys held before they were touched; nothing, where a table that had no rows is being filled. */
export type Touched = ReadonlyMap<string, Place | undefined> | 'was-empty';

interface Note {
  readonly of: Journaled;
  readonly key: string;
  readonly before: Place | undefined;
}

/** What has been changed since a transaction began, so that it can be taken back. */
export class Journal {
  #notes: Note[] | undefined;
  /** What is noted, and whether it had no rows in the beginning. */
  readonly #noted = new Map<Journaled, { readonly wasEmpty: boolean }>();

  get isOpen(): boolean {
    return this.#notes !== undefined;
  }

  /** How much is noted; where {@link takeBack} may go back to. */
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

  /** To be called before each change. Throws an Error outside a transaction: nothing may change unseen. */
  note(of: Journaled, key: string, before: Place | undefined): void {
    if (this.#notes === undefined) throw new Error(`${of.name} can only be changed in a transaction`);
    if (!this.#noted.has(of)) this.#noted.set(of, { wasEmpty: of.size === 0 });
    this.#notes.push({ of, key, before });
  }

  /** Takes back what was noted last, until `length` notes are left. */
  takeBack(length: number): void {
    const notes = this.#notes ?? [];
    while (notes.length > length) {
      const note = notes.pop();
      note?.of.putBack(note.key, note.before);
    }
  }

  /** What each key that was touched held in the beginning, by table. */
  touched(): Map<Journaled, Touched> {
    const touched = new Map<Journaled, Touched>();
    const started = new Map<Journaled, Map<string, Place | undefined>>();
    for (const [of, { wasEmpty }] of this.#noted) {
      const keys = new Map<string, Place | undefined>();
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
