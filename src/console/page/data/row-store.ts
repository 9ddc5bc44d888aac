import type { JournalEntry } from '../../../journal/entry.ts';
import { type Exchange, entriesOf } from '../../../journal/exchange.ts';
import type { Change } from '../../../journal/exchanges.ts';

/** Maximum of stored rows: twenty times what the bridge's journal has, and still filtered within 100 ms. */
export const MAX_ROWS = 100_000;
/** Maximum of all texts together, in characters. */
const MAX_CHARACTERS = 64 * 1024 * 1024;

/** Reader of the rows' changes. */
export interface RowReader {
  /** New rows, which may have their answers already. */
  readonly added: (rows: readonly Exchange[]) => void;
  /** Earlier rows whose answers came, or that stay without; some may have been removed before. */
  readonly changed: (rows: Iterable<Exchange>) => void;
  /** All rows before this id were removed. */
  readonly removed: (firstId: number) => void;
}

/** Source of rows, oldest first. */
export interface RowSource {
  readonly rows: readonly Exchange[];
  /** Gives each later change to a reader, until the returned function is called. */
  read(reader: RowReader): () => void;
}

/** Rows of the page in bounded memory; the oldest are removed first. */
export class RowStore {
  readonly rows: Exchange[] = [];
  #characters = 0;
  #lastId = 0;

  /** Id of the first stored row; of the next row while there is none. */
  get firstId(): number {
    return this.rows[0]?.id ?? this.nextId;
  }

  /** Id of the next new row. */
  get nextId(): number {
    return this.#lastId + 1;
  }

  /** Counts the texts of an entry that a stored row, or one that is yet to be added, has. */
  count(entry: JournalEntry, { row }: Change): void {
    if (row.id >= this.firstId) this.#characters += charactersOf(entry);
  }

  /** Adds new rows. */
  add(rows: readonly Exchange[]): void {
    for (const row of rows) this.rows.push(row);
    this.#lastId = rows.at(-1)?.id ?? this.#lastId;
  }

  /** Removes rows over the maximum; returns their number. */
  forgetOldest(): number {
    let count = Math.max(0, this.rows.length - MAX_ROWS);
    for (const row of this.rows.slice(0, count)) this.#forget(row);
    while (this.#characters > MAX_CHARACTERS && count < this.rows.length - 1) {
      const row = this.rows[count];
      if (row !== undefined) this.#forget(row);
      count += 1;
    }
    this.rows.splice(0, count);
    return count;
  }

  clear(): void {
    this.rows.length = 0;
    this.#characters = 0;
  }

  #forget(row: Exchange): void {
    for (const entry of entriesOf(row)) this.#characters -= charactersOf(entry);
  }
}

/** Length of the texts of an entry. */
function charactersOf(entry: JournalEntry): number {
  if (entry.kind === 'http') return (entry.request.body ?? '').length + (entry.response.body ?? '').length;
  return 'text' in entry ? entry.text.length : 0;
}
