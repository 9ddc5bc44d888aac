import type { Deadline, EmulatorClock } from '../kernel/clock.ts';
import type { RowOf } from '../kernel/state/record.ts';
import type { ReadTable } from '../kernel/state/table.ts';
import type { Kinds } from '../schema.ts';
import type { Service } from './service.ts';
import type { Reading, Transaction, World } from './world.ts';

type TableName = keyof Kinds;
type RowIn<Name extends TableName> = RowOf<Kinds[Name]> & object;

/** What a row waits for. */
export interface Due {
  /** Names it: as long as it is the same, the deadline stays, and the time from which it is counted. */
  readonly for: string;
  /** The deadline, for a row that has waited since a time; both in milliseconds since the Unix epoch, by the clock. */
  at(since: number): number;
}

/** Rows of one table that each have a deadline. */
export interface RowTimersOptions<Name extends TableName> {
  /** In the words of the log, such as "the time of polls". */
  readonly name: string;
  readonly table: Name;
  /** Those that may wait for something in the beginning; default: all of the table. */
  rows?(tables: Reading): Iterable<RowIn<Name>>;
  /** Keys of the rows whose deadline an event of another table bears on. */
  concerns?(event: Transaction['events'][number]): Iterable<string>;
  /** What a row waits for, or the time alone (ms since the Unix epoch); undefined for nothing. */
  due(row: RowIn<Name>): number | Due | undefined;
  /** The time of a row has come. */
  fire(row: RowIn<Name>): void;
}

/** A row that waits, or one whose time has come: that has no deadline left. */
interface Wait {
  readonly for: string;
  readonly since: number;
  readonly deadline?: Deadline;
}

/**
 * Deadlines of the rows of a table. After each transaction the rows that it concerns are looked at again; a deadline that has
 * come is held against its row once more before it fires.
 */
export class RowTimers<Name extends TableName> implements Service {
  readonly name: string;
  readonly #world: World;
  readonly #clock: EmulatorClock;
  readonly #options: RowTimersOptions<Name>;
  readonly #waits = new Map<string, Wait>();

  constructor(world: World, clock: EmulatorClock, options: RowTimersOptions<Name>) {
    this.name = options.name;
    this.#world = world;
    this.#clock = clock;
    this.#options = options;
  }

  get #table(): ReadTable<RowIn<Name>> {
    return this.#world.tables[this.#options.table] as unknown as ReadTable<RowIn<Name>>;
  }

  start(): void {
    this.#lookAtAll(new Map());
  }

  onCommit({ events }: Transaction): void {
    const keys = new Set<string>();
    for (const event of events) {
      if (event.table === this.#options.table) {
        const row = event.kind === 'removed' ? event.before : event.after;
        keys.add(this.#table.keyOf(row as RowIn<Name>));
      } else for (const key of this.#options.concerns?.(event) ?? []) keys.add(key);
    }
    for (const key of keys) this.#look(key, this.#waits.get(key));
  }

  /** Looks at all rows anew; those that wait for the same as before have waited since then. */
  recover(): void {
    const before = new Map(this.#waits);
    this.stop();
    this.#lookAtAll(before);
  }

  stop(): void {
    for (const key of [...this.#waits.keys()]) this.#forget(key);
  }

  #lookAtAll(before: ReadonlyMap<string, Wait>): void {
    // A list of its own, because rows that are due change the table.
    for (const row of [...(this.#options.rows?.(this.#world.tables) ?? this.#table)]) {
      const key = this.#table.keyOf(row);
      this.#look(key, before.get(key));
    }
  }

  /** `before` is what the row was last known to wait for. */
  #look(key: string, before: Wait | undefined, isFired = false): void {
    const due = this.#dueOf(this.#table.get(key));
    if (due === undefined) return this.#forget(key);
    const isSame = before?.for === due.for;
    const known = this.#waits.get(key);
    if (isSame && known?.deadline !== undefined) return;
    const since = isSame ? before.since : this.#clock.now();
    // It has fired for this already; again and again would have no end.
    if ((isFired || (isSame && known !== undefined)) && due.at(since) <= this.#clock.now()) return;
    this.#forget(key);
    this.#wait(key, due, since);
  }

  #wait(key: string, due: Due, since: number): void {
    const wait = { for: due.for, since };
    this.#waits.set(key, wait);
    let isOver = false;
    const deadline = this.#clock.at(due.at(since), () => {
      isOver = true;
      this.#ring(key, wait);
    });
    // The clock calls back at once where the time has come.
    if (!isOver) this.#waits.set(key, { ...wait, deadline });
  }

  #ring(key: string, wait: Wait): void {
    this.#waits.set(key, wait);
    const row = this.#table.get(key);
    const due = this.#dueOf(row);
    const isDue = due?.for === wait.for && due.at(wait.since) <= this.#clock.now();
    if (isDue) this.#options.fire(row as RowIn<Name>);
    this.#look(key, this.#waits.get(key), isDue);
  }

  #dueOf(row: RowIn<Name> | undefined): Due | undefined {
    const due = row === undefined ? undefined : this.#options.due(row);
    return typeof due === 'number' ? { for: String(due), at: () => due } : due;
  }

  #forget(key: string): void {
    this.#waits.get(key)?.deadline?.cancel();
    this.#waits.delete(key);
  }
}
