import type { Exchange } from '../../../../journal/exchange.ts';
import type { RowTest } from '../../../../journal/filter/match.ts';
import type { RowSource } from '../../data/row-store.ts';

/** Time for which rows are tested before the browser may draw (ms). */
const SLICE_MS = 12;
/** Number of rows that are tested between two looks at the clock. */
const STEP = 250;

/** Turns of the browser. */
export interface Turns {
  /** Time in ms. */
  readonly now: () => number;
  /** Runs after the browser had its turn. */
  readonly later: (run: () => void) => void;
}

/** Rows that pass a test; after a change only changed rows are tested. */
export class Matching {
  /** Rows of the last test that was run to its end, oldest first. */
  rows: Exchange[] = [];
  readonly #source: RowSource;
  readonly #done: () => void;
  readonly #turns: Turns;
  readonly #stop: () => void;
  #test: RowTest = () => true;
  /** Rows of a test that runs, and the id up to which rows were tested. */
  #running: { readonly rows: Exchange[]; upTo: number } | undefined;

  /** Calls `done` when a test ended that took more than one slice. */
  constructor(source: RowSource, turns: Turns, done: () => void) {
    this.#source = source;
    this.#turns = turns;
    this.#done = done;
    this.#stop = source.read({
      added: (rows) => this.#add(rows),
      changed: (rows) => this.#change(rows),
      removed: (firstId) => this.#remove(firstId),
    });
  }

  /** Whether a test still runs, so that `rows` are those of the test before. */
  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  /** Tests all rows anew; the rows of the test before stay until it ends. */
  setTest(test: RowTest): void {
    this.#test = test;
    const running = { rows: [], upTo: 0 };
    this.#running = running;
    this.#slice(running, 'now');
  }

  close(): void {
    this.#stop();
    this.#running = undefined;
  }

  #slice(running: { readonly rows: Exchange[]; upTo: number }, when: 'now' | 'later'): void {
    if (this.#running !== running) return;
    const { rows } = this.#source;
    const until = this.#turns.now() + SLICE_MS;
    let at = positionOf(rows, running.upTo + 1);
    while (at < rows.length) {
      for (const row of rows.slice(at, at + STEP)) if (this.#test(row)) running.rows.push(row);
      at = Math.min(rows.length, at + STEP);
      running.upTo = rows[at - 1]?.id ?? running.upTo;
      if (at < rows.length && this.#turns.now() > until) {
        this.#turns.later(() => this.#slice(running, 'later'));
        return;
      }
    }
    this.rows = running.rows;
    this.#running = undefined;
    if (when === 'later') this.#done();
  }

  #add(rows: readonly Exchange[]): void {
    // A running test comes to the new rows by itself.
    if (this.#running !== undefined) return;
    for (const row of rows) if (this.#test(row)) this.rows.push(row);
  }

  #change(rows: Iterable<Exchange>): void {
    const list = this.#running?.rows ?? this.rows;
    const [first, last] = [this.#source.rows[0]?.id ?? 0, this.#running?.upTo ?? Number.POSITIVE_INFINITY];
    for (const row of rows) {
      if (row.id < first || row.id > last) continue;
      const at = positionOf(list, row.id);
      const isListed = list[at]?.id === row.id;
      const passes = this.#test(row);
      if (passes && !isListed) list.splice(at, 0, row);
      else if (!passes && isListed) list.splice(at, 1);
    }
  }

  #remove(firstId: number): void {
    for (const list of [this.rows, this.#running?.rows ?? []]) list.splice(0, positionOf(list, firstId));
  }
}

/** Position of the first row with this id or a higher one. */
export function positionOf(rows: readonly Exchange[], id: number): number {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((rows[middle]?.id ?? 0) < id) low = middle + 1;
    else high = middle;
  }
  return low;
}
