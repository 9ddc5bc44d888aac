import type { Deadline, EmulatorClock } from '../kernel/clock.ts';
import type { RowOf } from '../kernel/state/record.ts';
import type { ReadTable } from '../kernel/state/table.ts';
import type { Kinds } from '../schema.ts';
import type { Service } from './service.ts';
import type { Reading, Transaction, World } from './world.ts';

type TableName = keyof Kinds;
type RowIn<Name extends TableName> = RowOf<Kinds[Name]> & object;

/** The event a row waits for. */
export interface Due {
  /** Identifies the wait. While the value stays the same, deadline and start time do not change. */
  readonly for: string;
  /**
   * The deadline of a row that has waited since `since`. Both times are milliseconds since the Unix epoch, by the
   * emulator's clock.
   */
  at(since: number): number;
}

/** Options of the timers of one table. */
export interface RowTimersOptions<Name extends TableName> {
  /** Name in the log, such as "the time of polls". */
  readonly name: string;
  readonly table: Name;
  /** Rows that may be waiting at the start; default: all rows of the table. */
  rows?(tables: Reading): Iterable<RowIn<Name>>;
  /** Keys of the rows whose deadline an event of another table affects. */
  concerns?(event: Transaction['events'][number]): Iterable<string>;
  /** The wait of a row, or only its deadline (ms since the Unix epoch); undefined for a row that does not wait. */
  due(row: RowIn<Name>): number | Due | undefined;
  /** Called when the deadline of a row has passed. */
  fire(row: RowIn<Name>): void;
}

const NONE: readonly string[] = [];

/** A wait of a row. Without `deadline` it has already fired. */
interface Wait {
  readonly for: string;
  readonly since: number;
  readonly deadline?: Deadline;
}

/**
 * Deadlines of the rows of a table. Each transaction re-evaluates the rows that it affects. Before a deadline fires, it
 * is checked against its row again.
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
    this.#checkAll(new Map());
  }

  onCommit({ events }: Transaction): void {
    /** Created with the first key, because most transactions concern few of the services. */
    let keys: Set<string> | undefined;
    for (const event of events) {
      for (const key of this.#keysOf(event)) keys = (keys ?? new Set()).add(key);
    }
    if (keys !== undefined) for (const key of keys) this.#check(key, this.#waits.get(key));
  }

  /** Keys of the rows that an event concerns. */
  #keysOf(event: Transaction['events'][number]): Iterable<string> {
    if (event.table !== this.#options.table) return this.#options.concerns?.(event) ?? NONE;
    const row = event.kind === 'removed' ? event.before : event.after;
    return [this.#table.keyOf(row as RowIn<Name>)];
  }

  /** Re-evaluates all rows. A row whose wait is the same as before keeps its start time. */
  recover(): void {
    const before = new Map(this.#waits);
    this.stop();
    this.#checkAll(before);
  }

  stop(): void {
    for (const key of [...this.#waits.keys()]) this.#forget(key);
  }

  #checkAll(before: ReadonlyMap<string, Wait>): void {
    // Iterates a copy, because rows that are due change the table.
    for (const row of [...(this.#options.rows?.(this.#world.tables) ?? this.#table)]) {
      const key = this.#table.keyOf(row);
      this.#check(key, before.get(key));
    }
  }

  /** Re-evaluates the deadline of a row; `before` is the row's last known wait. */
  #check(key: string, before: Wait | undefined, isFired = false): void {
    const due = this.#dueOf(this.#table.get(key));
    if (due === undefined) return this.#forget(key);
    const isSame = before?.for === due.for;
    const known = this.#waits.get(key);
    if (isSame && known?.deadline !== undefined) return;
    const since = isSame ? before.since : this.#clock.now();
    // The deadline has already fired for this wait. Firing again would loop forever.
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
    // If the deadline has already passed, the clock calls back synchronously, and no deadline is left to store.
    if (!isOver) this.#waits.set(key, { ...wait, deadline });
  }

  #ring(key: string, wait: Wait): void {
    this.#waits.set(key, wait);
    const row = this.#table.get(key);
    const due = this.#dueOf(row);
    const isDue = due?.for === wait.for && due.at(wait.since) <= this.#clock.now();
    if (isDue) this.#options.fire(row as RowIn<Name>);
    this.#check(key, this.#waits.get(key), isDue);
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
