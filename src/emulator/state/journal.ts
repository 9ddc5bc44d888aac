/** A row and the place where it stood. */
export interface Place {
  readonly row: unknown;
  readonly rank: number;
}

/** What a journal can take back. */
export interface Journaled {
  readonly name: string;
  /** Puts a key back to what it held before; undefined takes the row out. Notes nothing. */
  putBack(key: string, before: Place | undefined): void;
}

interface Note {
  readonly of: Journaled;
  readonly key: string;
  readonly before: Place | undefined;
}

/** What has been changed since a transaction began, so that it can be taken back. */
export class Journal {
  #notes: Note[] | undefined;

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
  }

  /** To be called before each change. Throws an Error outside a transaction: nothing may change unseen. */
  note(of: Journaled, key: string, before: Place | undefined): void {
    if (this.#notes === undefined) throw new Error(`${of.name} can only be changed in a transaction`);
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
  touched(): Map<Journaled, Map<string, Place | undefined>> {
    const touched = new Map<Journaled, Map<string, Place | undefined>>();
    for (const { of, key, before } of this.#notes ?? []) {
      const keys = touched.get(of);
      if (keys === undefined) touched.set(of, new Map([[key, before]]));
      else if (!keys.has(key)) keys.set(key, before);
    }
    return touched;
  }
}
