import { printableJson } from '../base/text.ts';
import type { JournalEntry } from './entry.ts';

/** Version of the format. Readers accept only this version and the previous one. */
export const VERSION = 2;

/** First line of a file of recorded traffic. A stream has no header, because it has no known end. */
export interface Header {
  readonly footbridge: 'traffic';
  readonly version: typeof VERSION;
  /** The client core that answered: `emulator`, or `upstream` for a real chat client behind the bridge. */
  readonly core: string;
  /** When it began, ISO 8601. */
  readonly began: string;
}

/** Last line of a file of recorded traffic. A file without this line was cut off. */
export interface End {
  readonly end: { readonly entries: number };
}

/** The line of an entry, in a file and in a stream. */
export function entryLine(entry: JournalEntry): string {
  return `${printableJson(entry)}\n`;
}

/** The line of a stream that reports how many entries were removed before they could be read. */
export function droppedLine(entries: number): string {
  return `${JSON.stringify({ kind: 'dropped', entries })}\n`;
}

/** Writes the lines of a file of recorded traffic: the header, one line per entry, and the end. */
export class TrafficWriter {
  readonly #append: (line: string) => boolean;
  #entries = 0;

  /** `append` writes a line, and returns whether it could be written. */
  constructor(append: (line: string) => boolean) {
    this.#append = append;
  }

  /** Entries that were written. */
  get entries(): number {
    return this.#entries;
  }

  /** Writes the header line; false when that failed. */
  begin(core: string, began = Date.now()): boolean {
    const header: Header = {
      footbridge: 'traffic',
      version: VERSION,
      core,
      began: new Date(began).toISOString(),
    };
    return this.#append(`${JSON.stringify(header)}\n`);
  }

  write(entry: JournalEntry): void {
    if (this.#append(entryLine(entry))) this.#entries += 1;
  }

  /** Writes the last line. */
  end(): void {
    const end: End = { end: { entries: this.#entries } };
    this.#append(`${JSON.stringify(end)}\n`);
  }
}

/** A whole file of recorded traffic as one text. */
export function trafficText(entries: readonly JournalEntry[], core: string): string {
  const lines: string[] = [];
  const writer = new TrafficWriter((line) => lines.push(line) > 0);
  writer.begin(core, entries[0]?.at);
  for (const entry of entries) writer.write(entry);
  writer.end();
  return lines.join('');
}
