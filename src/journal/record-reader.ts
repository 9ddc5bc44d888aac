import { parseExact, printExact } from '../base/exact-json.ts';
import { LocalError } from '../base/local-error.ts';
import type { JournalEntry } from './entry.ts';
import { problemOf } from './entry-shape.ts';
import { VERSION } from './format.ts';
import { oldTranscriptReader } from './old-transcript.ts';
import { textWithoutSecrets } from './without-secrets.ts';

/** Maximum length of a line (characters). */
const MAX_LINE = 8 * 1024 * 1024;

/** Recorded traffic of a file. */
export interface SessionRecord {
  /** The client core that answered; undefined for a stream, because a stream does not name its core. */
  readonly core: string | undefined;
  readonly entries: readonly JournalEntry[];
  /** Numbers of the lines with a secret that was added by hand; the secret is hidden in `entries`. */
  readonly secrets: readonly number[];
}

/**
 * Layout of a file: with a header and an end (`file`); only the entries that `watch --json` and `emulate --json` print
 * (`stream`); or a transcript that `emulate` wrote before version 2, which remains readable for one further version.
 */
type Layout =
  | { readonly kind: 'file'; readonly core: string }
  | { readonly kind: 'stream' }
  | { readonly kind: 'transcript'; readonly read: ReturnType<typeof oldTranscriptReader> };

/**
 * Reads recorded traffic, part by part: files of this format version, files of the previous version, and streams. Throws
 * `LocalError` FOOTBRIDGE_RECORD with the file, the line and the problem: the file is no record, has another version or is
 * cut off, or a line is no entry.
 */
export class RecordReader {
  readonly #path: string;
  readonly #maxEntries: number;
  readonly #entries: JournalEntry[] = [];
  readonly #secrets: number[] = [];
  #layout: Layout | undefined;
  #count: number | undefined;
  #line = 0;
  #rest = '';

  /** `path` is the name of the file in messages. */
  constructor(path: string, maxEntries = Number.POSITIVE_INFINITY) {
    this.#path = path;
    this.#maxEntries = maxEntries;
  }

  /** Takes the next part of the text. */
  write(part: string): void {
    const lines = `${this.#rest}${part}`.split('\n');
    this.#rest = lines.pop() ?? '';
    if (this.#rest.length > MAX_LINE) throw this.#wrong(`is longer than ${MAX_LINE} characters`);
    for (const line of lines) this.#read(line);
  }

  #read(text: string): void {
    this.#line += 1;
    const value = this.#valueOf(text);
    if (this.#layout === undefined) {
      this.#layout = this.#layoutOf(value);
      if (this.#layout.kind === 'file') return;
    }
    if (this.#count !== undefined) throw this.#wrong('stands behind the end');
    if (this.#layout.kind === 'file' && 'end' in value) {
      this.#count = Number(memberOf(value['end'], 'entries'));
    } else if (this.#layout.kind === 'transcript') {
      for (const entry of this.#layout.read(value)) this.#entries.push(this.#entryOf(entry));
    } else if (this.#layout.kind === 'file' || value['kind'] !== 'dropped') {
      this.#entries.push(this.#entryOf(value));
    }
  }

  /** Reads the last line, which may be complete although its line end is missing. */
  #lastLine(text: string): void {
    try {
      JSON.parse(text);
    } catch {
      if (this.#layout !== undefined)
        throw this.#file(`breaks off in line ${this.#line + 1}. Record it again`);
    }
    this.#read(text);
  }

  /** Ends the text. */
  end(): SessionRecord {
    if (this.#rest !== '') this.#lastLine(this.#rest);
    const [layout, entries, secrets] = [this.#layout, this.#entries, this.#secrets];
    if (layout === undefined) throw this.#file('is empty, and no record');
    if (layout.kind !== 'file') return { core: undefined, entries, secrets };
    if (this.#count === undefined) {
      throw this.#file(
        `breaks off after line ${this.#line}: its last line is missing, so it is not whole. Record it again`,
      );
    }
    if (this.#count !== entries.length) {
      throw this.#file(
        `has ${entries.length} entries, and its last line says ${this.#count}. Record it again`,
      );
    }
    return { core: layout.core, entries, secrets };
  }

  #wrong(problem: string): LocalError {
    return new LocalError('FOOTBRIDGE_RECORD', `${this.#path}:${this.#line}: the line ${problem}.`);
  }

  #file(problem: string): LocalError {
    return new LocalError('FOOTBRIDGE_RECORD', `${this.#path}: ${problem}.`);
  }

  #valueOf(text: string): Readonly<Record<string, unknown>> {
    try {
      const value = JSON.parse(text) as unknown;
      if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
    } catch {
      // The error is thrown below, because the parser's own message would quote the line.
    }
    throw this.#line === 1 ? this.#file('is no record of Footbridge') : this.#wrong('is no JSON object');
  }

  #layoutOf(value: Readonly<Record<string, unknown>>): Layout {
    const { footbridge: name, version, core } = value;
    if (name === undefined) {
      if (typeof value['seq'] === 'number' || value['kind'] === 'dropped') return { kind: 'stream' };
      if (typeof value['ms'] === 'number' && typeof value['kind'] === 'string')
        return { kind: 'transcript', read: oldTranscriptReader() };
    }
    if (name !== 'traffic' && name !== 'record') throw this.#file('is no record of Footbridge');
    // A record of version 1 differs from version 2 only in its name.
    if (version !== (name === 'record' ? 1 : VERSION)) {
      const quoted = JSON.stringify(version)?.slice(0, 20) ?? 'none';
      throw this.#file(
        `has the version ${quoted}, and this Footbridge reads ${VERSION} and records of version 1. Record it again`,
      );
    }
    return { kind: 'file', core: String(core) };
  }

  #entryOf(value: Readonly<Record<string, unknown>>): JournalEntry {
    if (this.#entries.length >= this.#maxEntries)
      throw this.#file(`has more than ${this.#maxEntries} entries`);
    const problem = problemOf(value);
    if (problem !== undefined) throw this.#wrong(problem);
    return this.#withoutSecrets(value) as JournalEntry;
  }

  /**
   * Returns the value without secrets. Footbridge writes records without secrets, so a person changed a line that
   * contains one by hand.
   */
  #withoutSecrets(value: Readonly<Record<string, unknown>>): unknown {
    const text = value['text'];
    if (typeof text !== 'string') return value;
    const redacted = textWithoutSecrets(text);
    if (sameJson(redacted, text)) return value;
    this.#secrets.push(this.#line);
    return { ...value, text: redacted };
  }
}

function sameJson(a: string, b: string): boolean {
  if (a === b) return true;
  try {
    return a === printExact(parseExact(b));
  } catch {
    return false;
  }
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
