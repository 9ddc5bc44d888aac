import { Commit, type RowEvents } from './commit.ts';
import { type EventQueue, type Failure, Listeners, type Recovery } from './event-queue.ts';
import { Journal } from './journal.ts';
import type { DependentRow } from './record.ts';
import { References } from './references.ts';
import { Room, type RoomUse } from './room.ts';
import { Single } from './single.ts';
import { Table } from './table.ts';
import type { Kinds, ReadTables, Snapshot, Tables } from './tables.ts';

/**
 * Rule that enforces consistency: it reads the changes of a transaction and makes the changes that follow from them.
 * The state calls it until it changes nothing. `restoring` is true when a snapshot replaces the state, so the changes
 * are no steps from the current state.
 */
export type Rule<K extends Kinds> = (tables: Tables<K>, commit: Commit<K>, restoring: boolean) => void;

/** Configuration of a state. */
export interface StateOptions<K extends Kinds> {
  readonly kinds: K;
  readonly rules?: readonly Rule<K>[];
  /** Queue of the events of this state. */
  readonly eventQueue: EventQueue;
  /** Memory accounting; by default memory is unlimited. */
  readonly room?: Room | undefined;
  /**
   * Called for every transaction with changes, immediately after its commit and before any of its events is emitted.
   */
  readonly committed?: (commit: Commit<K>) => void;
  /** A listener has thrown. */
  readonly failed?: (failure: Failure) => void;
}

/** Maximum number of rounds of the rules; rules that need more rounds depend on each other in a circle. */
const MAX_ROUNDS = 100;

/**
 * Tables that change in transactions. A transaction is atomic, its references are enforced, and an event reports every
 * difference.
 */
export class State<K extends Kinds> {
  readonly #store: ReadonlyMap<string, Table<object> | Single<unknown>>;
  /** Tables and single records that are saved and restored. */
  readonly #lasting: ReadonlyMap<string, Table<object> | Single<unknown>>;
  readonly #tables: Tables<K>;
  readonly #options: StateOptions<K>;
  readonly #journal = new Journal();
  readonly #references: References;
  /** Rows that exist together with every record of a kind. */
  readonly #brought: readonly { readonly by: string; readonly dependent: DependentRow }[];
  /** Names of the kinds whose rows only log an action. */
  readonly #notes: ReadonlySet<string>;
  readonly #listeners: Listeners<RowEvents<K>>;
  readonly #room: Room;
  /** Tables that have unique indexes. */
  readonly #uniqueTables: readonly Table<object>[];
  /** Number of transactions with changes. */
  #count = 0;
  /** Number of running {@link always} calls. */
  #always = 0;
  /** Number of running {@link clearing} calls. */
  #clearing = 0;

  constructor(options: StateOptions<K>) {
    const { kinds, room = new Room() } = options;
    this.#options = options;
    this.#room = room;
    this.#store = new Map(
      Object.values(kinds).map((kind) => [
        kind.name,
        kind.singleton
          ? new Single<unknown>(kind.name, this.#journal, room)
          : new Table<object>(kind, this.#journal, room),
      ]),
    );
    this.#uniqueTables = [...this.#store.values()].filter(
      (store): store is Table<object> => store instanceof Table && store.hasUnique,
    );
    this.#lasting = new Map([...this.#store].filter(([name]) => kinds[name]?.transient !== true));
    this.#tables = Object.fromEntries(this.#store) as unknown as Tables<K>;
    this.#references = new References(kinds, this.#store);
    this.#notes = new Set(
      Object.values(kinds)
        .filter(({ isNote }) => isNote)
        .map(({ name }) => name),
    );
    this.#brought = Object.values(kinds).flatMap(({ name, creates }) =>
      creates === undefined ? [] : [{ by: name, dependent: creates }],
    );
    this.#listeners = new Listeners((failure) => options.failed?.(failure));
  }

  get tables(): ReadTables<K> {
    return this.#tables as unknown as ReadTables<K>;
  }

  /**
   * Applies changes atomically: when `change` throws, or its result breaks a reference, all changes are undone. A
   * nested transaction belongs to the outer one; when the nested one throws, only its own changes are undone. A
   * transaction without enough memory is undone too, unless it runs within {@link always} or in a listener. @throws
   * NoRoomError
   */
  transaction<T>(change: (tables: Tables<K>) => T): T {
    return this.#journal.isOpen ? this.#within(change) : this.#run(change, false);
  }

  /**
   * Exempts transactions in `task` from the memory limit, because changes that the state itself makes when they are due
   * must not fail.
   */
  always<T>(task: () => T): T {
    this.#always += 1;
    try {
      return task();
    } finally {
      this.#always -= 1;
    }
  }

  /**
   * Lets transactions in `task` that change or remove rows exceed the limit a little, for example for a log record. If
   * the log record needs more memory, the transaction is committed without it, because a deletion by a user must
   * succeed. Transactions that only add rows are checked as usual.
   */
  clearing<T>(task: () => T): T {
    this.#clearing += 1;
    try {
      return task();
    } finally {
      this.#clearing -= 1;
    }
  }

  /** All saved rows. The snapshot shares them with the state, because rows never change. */
  snapshot(): Snapshot<K> {
    const entries = [...this.#lasting].map(([name, store]) => [
      name,
      store instanceof Single ? store.value : [...store],
    ]);
    return Object.fromEntries(entries) as Snapshot<K>;
  }

  /** Replaces the state by a snapshot, including the order of rows, and emits the differences. */
  restore(snapshot: Snapshot<K>): void {
    const rows = snapshot as Readonly<Record<string, unknown>>;
    this.#run(() => {
      for (const [name, store] of this.#lasting) {
        if (store instanceof Single) store.set(rows[name]);
        else store.become(rows[name] as readonly object[]);
      }
    }, true);
  }

  /**
   * Counts the memory of the reset snapshot's rows, in addition to those of the current state, until another snapshot
   * replaces it.
   */
  retain(snapshot: Snapshot<K>): void {
    this.#room.retain(this.#storedRows(snapshot as Readonly<Record<string, unknown>>));
  }

  /**
   * Calls a listener with every transaction that changes rows, in order. The returned function unsubscribes the
   * listener. A listener that throws does not affect the others, and recovers.
   */
  subscribe(listener: (transaction: RowEvents<K>) => void, recovery: Recovery): () => void {
    return this.#listeners.add(listener, recovery);
  }

  /** Rows of a snapshot; single records are omitted, because they are too small to count. */
  *#storedRows(rows: Readonly<Record<string, unknown>>): Generator<{ row: object; isInForce: boolean }> {
    for (const [name, store] of this.#lasting) {
      if (store instanceof Single) continue;
      for (const row of rows[name] as readonly object[]) {
        yield { row, isInForce: store.get(store.keyOf(row)) === row };
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
    if (!commit.isEmpty) this.#notify(commit);
    return result;
  }

  /** Whether the current transaction is exempt from the memory limit. */
  get #isByItself(): boolean {
    return this.#always > 0 || this.#options.eventQueue.isNotifying;
  }

  /** The part of a commit that fits into memory: all of it, or all except log records. @throws NoRoomError */
  #fit(commit: Commit<K>, before: RoomUse): Commit<K> {
    const room = this.#room;
    if (this.#clearing === 0 || !commit.takesAway(this.#notes)) {
      room.check(before);
      return commit;
    }
    if (room.isCleared(before)) return commit;
    for (const name of this.#notes) {
      const table = this.#store.get(name) as Table<object>;
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
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      const { length } = this.#journal;
      const commit = new Commit<K>(this.#store, this.#journal.touched());
      this.#bring(commit as unknown as Commit<Kinds>);
      this.#references.follow(commit as unknown as Commit<Kinds>);
      if (this.#journal.length > length) continue;
      // Invalid references and duplicates are refused before the rules run, so that no rule repairs them.
      this.#references.check(commit as unknown as Commit<Kinds>);
      this.#checkUnique(commit as unknown as Commit<Kinds>);
      for (const rule of this.#options.rules ?? []) rule(this.#tables, commit, restoring);
      if (this.#journal.length === length) return commit;
    }
    throw new Error('the rules of the state contradict each other');
  }

  #bring(commit: Commit<Kinds>): void {
    for (const { by, dependent } of this.#brought) {
      const [table, brought] = [this.#store.get(by), this.#store.get(dependent.kind)] as Table<object>[];
      if (table === undefined || brought === undefined) continue;
      if (!commit.touches(by, dependent.kind)) continue;
      const lacking = commit
        .of(dependent.kind)
        .removed.map((row) => table.get(brought.keyOf(row as object)))
        .filter((row) => row !== undefined);
      for (const row of [...commit.of(by).created, ...lacking]) {
        if (!brought.has(table.keyOf(row as object))) brought.insert(dependent.row(row as never));
      }
    }
  }

  #checkUnique(commit: Commit<Kinds>): void {
    for (const store of this.#uniqueTables) {
      const { created, updated } = commit.of(store.name);
      for (const row of created) store.checkUnique(row as object);
      for (const { after } of updated) store.checkUnique(after as object);
    }
  }

  #notify(commit: Commit<K>): void {
    const { eventQueue, committed } = this.#options;
    this.#count += 1;
    if (this.#listeners.size > 0) {
      const transaction: RowEvents<K> = { number: this.#count, events: [...commit.events()] };
      eventQueue.add(() => this.#listeners.notify(transaction));
    }
    committed?.(commit);
    eventQueue.run();
  }
}
