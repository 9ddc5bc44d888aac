import type { JournalEntry } from '../journal/entry.ts';

/** Version of the format; another one is refused. */
export const VERSION = 1;

/** First line of a record. */
export interface Header {
  readonly footbridge: 'record';
  readonly version: typeof VERSION;
  /** The client core that answered: `emulator`, or `upstream` for a chat client behind it. */
  readonly core: string;
  /** When it began, ISO 8601. */
  readonly began: string;
}

/** Last line: without it the record was cut off. */
export interface End {
  readonly end: { readonly entries: number };
}

/** What passed while it was recorded. */
export interface SessionRecord {
  readonly header: Header;
  readonly entries: readonly JournalEntry[];
  /** Lines in which a secret stood that somebody had put there; it is hidden. */
  readonly secrets: readonly number[];
}

/** The lines of a record, one after the other. */
export function headerLine(core: string): string {
  const header: Header = { footbridge: 'record', version: VERSION, core, began: new Date().toISOString() };
  return `${JSON.stringify(header)}\n`;
}

/** The line of an entry. */
export function entryLine(entry: JournalEntry): string {
  return `${JSON.stringify(entry)}\n`;
}

/** The last line. */
export function endLine(entries: number): string {
  const end: End = { end: { entries } };
  return `${JSON.stringify(end)}\n`;
}
