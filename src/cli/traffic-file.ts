import { openReplaced, type ReplacedFile } from '../../platform/files/replaced-file.ts';
import { systemErrorText } from '../../platform/system-error-text.ts';
import type { LocalError } from '../base/local-error.ts';
import type { JournalEntry } from '../journal/entry.ts';
import { TrafficWriter } from '../journal/format.ts';

/** File of recorded traffic, mode 0600; an existing file keeps its old content until `begin`. */
export class TrafficFile {
  readonly #file: ReplacedFile;
  readonly #writer: TrafficWriter;

  /**
   * Opens a file for recorded traffic. Throws the error that `refusal` returns for a reason, if the file cannot be
   * written or is a pipe without a reader.
   */
  constructor(path: string, core: string, refusal: (reason: string, cause?: unknown) => LocalError) {
    try {
      this.#file = openReplaced(path);
    } catch (error) {
      throw refusal(systemErrorText(error), error);
    }
    this.#writer = new TrafficWriter((line) => this.#file.append(line));
    if (!this.#writer.begin(core)) throw refusal(this.#file.close() ?? 'nothing more can be written');
  }

  /** Number of written entries. */
  get entries(): number {
    return this.#writer.entries;
  }

  begin(): void {
    this.#file.begin();
  }

  /** Leaves the file unchanged; returns false once `begin` was called. */
  abandon(): boolean {
    return this.#file.abandon();
  }

  write(entry: JournalEntry): void {
    this.#writer.write(entry);
  }

  /** Ends the file. Returns the reason if something could not be written. */
  end(): string | undefined {
    this.#writer.end();
    return this.#file.close();
  }
}
