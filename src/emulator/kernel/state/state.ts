import { Commit, type RowEvents } from './commit.ts';
import { Journal } from './journal.ts';
import type { Companion } from './record.ts';
import { References } from './references.ts';
import { Room, type RoomUse } from './room.ts';
import { Single } from './single.ts';
import { Table } from './table.ts';
import type { Kinds, ReadTables, Snapshot, Tables } from './tables.ts';
import { type Failure, Listeners, type Recovery, type Telling } from './telling.ts';

/**
 * Keeps a state true to itself: looks at what a transaction has changed, and changes what follows from it. Called
 * until nothing follows any more. `restoring`: the state becomes another that does not follow from the current one.
 */
export type Rule<K extends Kinds> = (tables: Tables<K>, commit: Commit<K>, restoring: boolean) => void;

/** What a state is made of. */
export interface StateOptions<K extends Kinds> {
  readonly kinds: K;
  readonly rules?: readonly Rule<K>[];
  /** The queue in which its events are told. */
  readonly telling: Telling;
  /** Where what it keeps is counted; without it there is no end to it. */
  readonly room?: Room | undefined;
  /** Told at once of every transaction that changed something, before any event of it is told. */
  readonly committed?: (commit: Commit<K>) => void;
  /** A listener has thrown. */
  readonly failed?: (failure: Failure) => void;
}

/** Rules that go on for longer than this follow from each other in a circle. */
const MOST_ROUNDS = 100;

/** Tables that change in transactions: all of it or nothing, references kept, every difference told. */
export class State<K extends Kinds> {
  readonly #kept: ReadonlyMap<string, Table<object> | Single<unknown>>;
  /** Those that are saved and put back. */
  readonly #lasting: ReadonlyMap<string, Table<object> | Single<unknown>>;
  readonly #tables: Tables<K>;
  readonly #options: StateOptions<K>;
  readonly #journal = new Journal();
  readonly #references: References;
  /** What is there with every record of a kind. */
  readonly #brought: readonly { readonly by: string; readonly companion: Companion }[];
  /** Names of the kinds whose rows only note what was done. */
  readonly #notes: ReadonlySet<string>;
  readonly #listeners: Listeners<RowEvents<K>>;
  readonly #room: Room;
  /** How many transactions have made a difference. */
  #count = 0;
  /** How many {@link always} are under way. */
  #always = 0;
  /** How many {@link clearing} are under way. */
  #clearing = 0;

  constructor(options: StateOptions<K>) {
    const { kinds, room = new Room() } = options;
    this.#options = options;
    this.#room = room;
    this.#kept = new Map(
      Object.values(kinds).map((kind) => [
        kind.name,
        kind.singleton
          ? new Single<unknown>(kind.name, this.#journal, room)
          : new Table<object>(kind, this.#journal, room),
      ]),
    );
    this.#lasting = new Map([...this.#kept].filter(([name]) => kinds[name]?.transient !== true));
    this.#tables = Object.fromEntries(this.#kept) as unknown as Tables<K>;
    this.#references = new References(kinds, this.#kept);
    this.#notes = new Set(
      Object.values(kinds)
        .filter(({ isNote }) => isNote)
        .map(({ name }) => name),
    );
    this.#brought = Object.values(kinds).flatMap(({ name, brings }) =>
      brings === undefined ? [] : [{ by: name, companion: brings }],
    );
    this.#listeners = new Listeners((failure) => options.failed?.(failure));
  }

  get tables(): ReadTables<K> {
    return this.#tables as unknown as ReadTables<K>;
  }

  /**
   * Applies changes at once: when `change` throws, or its outcome is against a reference, everything is as it was
   * before. One inside another belongs to it, and when it throws only what it did is taken back. So it is when there is no
   * room for it, unless it is by the state itself: within {@link always}, or by a listener. @throws NoRoomError
   */
  transaction<T>(change: (tables: Tables<K>) => T): T {
    return this.#journal.isOpen ? this.#within(change) : this.#run(change, false);
  }

  /** Has no transaction in `task` refused for want of room: what the state does by itself, because its time has come, has to happen. */
  always<T>(task: () => T): T {
    this.#always += 1;
    try {
      return task();
    } finally {
      this.#always -= 1;
    }
  }

  /**
   * Lets a transaction in `task` that changes or removes rows add a little beyond the limit, such as the note of it; where that
   * is too much it counts without the note. What somebody takes away has to go. Any other is checked as always.
   */
  clearing<T>(task: () => T): T {
    this.#clearing += 1;
    try {
      return task();
    } finally {
      this.#clearing -= 1;
    }
  }

  /** All that the state keeps; rows are shared, because they never change. */
  snapshot(): Snapshot<K> {
    const entries = [...this.#lasting].map(([name, kept]) => [
      name,
      kept instanceof Single ? kept.value : [...kept],
    ]);
    return Object.fromEntries(entries) as Snapshot<K>;
  }

  /** Becomes what a snapshot says, also in the order of rows, and tells what is different. */
  restore(snapshot: Snapshot<K>): void {
    const rows = snapshot as Readonly<Record<string, unknown>>;
    this.#run(() => {
      for (const [name, kept] of this.#lasting) {
        if (kept instanceof Single) kept.set(rows[name]);
        else kept.become(rows[name] as readonly object[]);
      }
    }, true);
  }

  /** Counts the rows of a snapshot, beside those in force, for as long as it is the one to go back to. */
  keep(snapshot: Snapshot<K>): void {
    this.#room.keep(this.#keptRows(snapshot as Readonly<Record<string, unknown>>));
  }

  /**
   * Tells of every transaction that makes rows different, one after the other. The returned function ends it; one that
   * throws disturbs nobody, and recovers.
   */
  subscribe(listener: (transaction: RowEvents<K>) => void, recovery: Recovery): () => void {
    return this.#listeners.add(listener, recovery);
  }

  /** The rows of a snapshot; a record that there is one of is too small to count. */
  *#keptRows(rows: Readonly<Record<string, unknown>>): Generator<{ row: object; isInForce: boolean }> {
    for (const [name, kept] of this.#lasting) {
      if (kept instanceof Single) continue;
      for (const row of rows[name] as readonly object[]) {
        yield { row, isInForce: kept.get(kept.keyOf(row)) === row };
      }
    }
  }

  #run<T>(change: (tables: Tables<K>) => T, restoring: boolean): T {
    this.#journal.open();
    const before = this.#room.use;
    let result: T;
    let commit: Commit<K>;
    try {
      result = change(this.#tables);
      if (result instanceof Promise) throw new Error('a transaction cannot wait for anything');
      commit = this.#settle(restoring);
      if (restoring) this.#room.checkWhole(before);
      else if (!this.#isByItself) commit = this.#fit(commit, before);
    } catch (error) {
      this.#journal.takeBack(0);
      this.#room.takeBack(before);
      throw error;
    } finally {
      this.#journal.close();
    }
    this.#room.settle();
    if (!commit.isEmpty) this.#tell(commit);
    return result;
  }

  /** Whether a transaction counts, however much room it takes. */
  get #isByItself(): boolean {
    return this.#always > 0 || this.#options.telling.isTelling;
  }

  /** The commit for which there is room: all of it, or that without its notes. @throws NoRoomError */
  #fit(commit: Commit<K>, before: RoomUse): Commit<K> {
    const room = this.#room;
    if (this.#clearing === 0 || !commit.takesAway(this.#notes)) {
      room.check(before);
      return commit;
    }
    if (room.isCleared(before)) return commit;
    for (const name of this.#notes) {
      const table = this.#kept.get(name) as Table<object>;
      for (const row of commit.of(name).created) table.remove(table.keyOf(row as object));
    }
    const rest = this.#settle(false);
    if (!room.isCleared(before)) room.check(before);
    return rest;
  }

  #within<T>(change: (tables: Tables<K>) => T): T {
    const { length } = this.#journal;
    try {
      return change(this.#tables);
    } catch (error) {
      this.#journal.takeBack(length);
      throw error;
    }
  }

  #settle(restoring: boolean): Commit<K> {
    for (let round = 0; round < MOST_ROUNDS; round += 1) {
      const { length } = this.#journal;
      const commit = new Commit<K>(this.#kept, this.#journal.touched());
      this.#bring(commit as unknown as Commit<Kinds>);
      this.#references.follow(commit as unknown as Commit<Kinds>);
      if (this.#journal.length > length) continue;
      // What is wrong is refused, and not put right by a rule.
      this.#references.check(commit as unknown as Commit<Kinds>);
      this.#checkUnique(commit as unknown as Commit<Kinds>);
      for (const rule of this.#options.rules ?? []) rule(this.#tables, commit, restoring);
      if (this.#journal.length === length) return commit;
    }
    throw new Error('the rules of the state contradict each other');
  }

  #bring(commit: Commit<Kinds>): void {
    for (const { by, companion } of this.#brought) {
      const [table, brought] = [this.#kept.get(by), this.#kept.get(companion.kind)] as Table<object>[];
      if (table === undefined || brought === undefined) continue;
      const lacking = commit
        .of(companion.kind)
        .removed.map((row) => table.get(brought.keyOf(row as object)))
        .filter((row) => row !== undefined);
      for (const row of [...commit.of(by).created, ...lacking]) {
        if (!brought.has(table.keyOf(row as object))) brought.insert(companion.row(row as never));
      }
    }
  }

  #checkUnique(commit: Commit<Kinds>): void {
    for (const [name, kept] of this.#kept) {
      if (kept instanceof Single || !commit.touches(name)) continue;
      const { created, updated } = commit.of(name);
      for (const row of created) kept.checkUnique(row as object);
      for (const { after } of updated) kept.checkUnique(after as object);
    }
  }

  #tell(commit: Commit<K>): void {
    const { telling, committed } = this.#options;
    this.#count += 1;
    if (this.#listeners.size > 0) {
      const transaction: RowEvents<K> = { number: this.#count, events: [...commit.events()] };
      telling.add(() => this.#listeners.tell(transaction));
    }
    committed?.(commit);
    telling.run();
  }
}
