/** Where a value stands in a TOML text. Line and column are from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
  /** Length of the key, or of the value that has no key. */
  readonly width: number;
}

type Path = readonly (string | number)[];

/** Text of a path, as the keys of the result of {@link tomlPlaces} are. */
export function pathText(path: Path): string {
  return JSON.stringify(path);
}

/**
 * Positions of the keys and entries of a TOML text that the parser has accepted, by path. The parser reports no positions of
 * what it has read; the grammar here is only as strict as is needed to find them.
 */
export function tomlPlaces(text: string): ReadonlyMap<string, Position> {
  return new Scanner(text).all();
}

const BARE = /[A-Za-z0-9_-]+/y;
const SPACE = /[ \t\r\n,]*(?:#[^\n]*[ \t\r\n,]*)*/y;
/** A value that is no text, list or table. */
const PLAIN = /[^\s,\]}#]+(?: \d[^\s,\]}#]*)?/y;
const QUOTED = /"""(?:\\[\s\S]|[^\\])*?"{3,5}|'''[\s\S]*?'{3,5}|"(?:\\.|[^"\\\n])*"|'[^'\n]*'/y;

class Scanner {
  readonly #text: string;
  readonly #places = new Map<string, Position>();
  /** Offset at which each line begins. */
  readonly #lines: readonly number[];
  /** Number of tables that each list of tables has so far. */
  readonly #counts = new Map<string, number>();
  #at = 0;

  constructor(text: string) {
    this.#text = text;
    this.#lines = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
  }

  all(): ReadonlyMap<string, Position> {
    let table: Path = [];
    for (;;) {
      this.#take(SPACE);
      if (this.#at >= this.#text.length) return this.#places;
      const from = this.#at;
      if (this.#text[from] === '[') table = this.#header();
      else this.#pair(table);
      // Something that the grammar here does not know must not make an endless loop.
      if (this.#at === from) return this.#places;
    }
  }

  #header(): Path {
    const from = this.#at;
    const isList = this.#text.startsWith('[[', from);
    this.#at += isList ? 2 : 1;
    const keys = this.#keys();
    this.#take(/[ \t]*\]+/y);
    let path: Path = [];
    for (const [index, key] of keys.entries()) {
      path = [...path, key];
      const count = this.#counts.get(pathText(path));
      if (isList && index === keys.length - 1) {
        this.#counts.set(pathText(path), (count ?? 0) + 1);
        path = [...path, count ?? 0];
      } else if (count !== undefined) path = [...path, count - 1];
    }
    this.#note(path, from, this.#at - from);
    return path;
  }

  #pair(table: Path): void {
    const from = this.#at;
    const path = [...table, ...this.#keys()];
    const width = this.#at - from;
    this.#note(path, from, width);
    this.#take(/[ \t]*=[ \t]*/y);
    this.#value(path);
  }

  #value(path: Path): void {
    const sign = this.#text[this.#at];
    if (sign === '[') return this.#list(path);
    if (sign === '{') return this.#inline(path);
    if (!this.#take(QUOTED)) this.#take(PLAIN);
  }

  #list(path: Path): void {
    this.#at += 1;
    for (let index = 0; ; index += 1) {
      this.#take(SPACE);
      if (this.#isEnd(']')) return;
      const from = this.#at;
      this.#value([...path, index]);
      if (this.#at === from) return;
      this.#note([...path, index], from, this.#text.slice(from, this.#at).split('\n', 1)[0]?.length ?? 1);
    }
  }

  #inline(path: Path): void {
    this.#at += 1;
    for (;;) {
      this.#take(SPACE);
      if (this.#isEnd('}')) return;
      const from = this.#at;
      this.#pair(path);
      if (this.#at === from) return;
    }
  }

  #isEnd(sign: string): boolean {
    if (this.#at < this.#text.length && this.#text[this.#at] !== sign) return false;
    this.#at += 1;
    return true;
  }

  /** A key with dots. */
  #keys(): string[] {
    const keys: string[] = [];
    do {
      this.#take(/[ \t]*/y);
      const from = this.#at;
      const isQuoted = this.#take(QUOTED);
      if (!isQuoted && !this.#take(BARE)) return keys;
      const key = this.#text.slice(from, this.#at);
      keys.push(isQuoted ? unquoted(key) : key);
    } while (this.#take(/[ \t]*\./y));
    return keys;
  }

  #take(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at;
    if (!pattern.test(this.#text) || pattern.lastIndex === this.#at) return false;
    this.#at = pattern.lastIndex;
    return true;
  }

  #note(path: Path, offset: number, width: number): void {
    const key = pathText(path);
    if (this.#places.has(key)) return;
    const line = this.#lineOf(offset);
    this.#places.set(key, {
      line: line + 1,
      column: offset - (this.#lines[line] ?? 0) + 1,
      width: Math.max(1, width),
    });
  }

  /** Index of the line at an offset. The search must not be linear: there are as many lines as values. */
  #lineOf(offset: number): number {
    let from = 0;
    let to = this.#lines.length;
    while (to - from > 1) {
      const middle = (from + to) >> 1;
      if ((this.#lines[middle] ?? 0) <= offset) from = middle;
      else to = middle;
    }
    return from;
  }
}

function unquoted(key: string): string {
  if (key.startsWith("'")) return key.slice(1, -1);
  try {
    return String(JSON.parse(key));
  } catch {
    return key.slice(1, -1);
  }
}
