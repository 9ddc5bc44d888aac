import type { Clock } from '../kernel/clock.ts';
import type { Log } from '../kernel/log.ts';
import { Snowflakes } from '../kernel/snowflake.ts';
import type { Commit, RowEvents } from '../kernel/state/commit.ts';
import { EventQueue, type Failure, Listeners, type Recovery } from '../kernel/state/event-queue.ts';
import { ENDLESS, Room, type RoomLimits } from '../kernel/state/room.ts';
import { type Rule, State } from '../kernel/state/state.ts';
import type { ReadTables, Snapshot, Tables } from '../kernel/state/tables.ts';
import type { Kinds } from '../schema.ts';
import type { User } from '../users/records.ts';
import type { Signal } from './signals.ts';

/** Read access to the tables of the emulator. */
export type Reading = ReadTables<Kinds>;
/** Write access to the tables of the emulator. */
export type Writing = Tables<Kinds>;
/** The changes of a transaction. */
export type Committed = Commit<Kinds>;
/**
 * The changes of a transaction, row by row, for storage and publication. Each has its kind, its table, and the row
 * before and after.
 */
export type Transaction = RowEvents<Kinds>;
/** A rule that makes the tables consistent. */
export type StateRule = Rule<Kinds>;
/** Computes, from a commit, the events for one audience. */
export interface Derivation<Meaning> {
  /** Tables whose changes cause events; without tables, every commit is derived from. */
  readonly tables?: readonly (keyof Reading)[];
  /** Computes the events while commit and tables are consistent. The function only reads. */
  readonly derive: (commit: Committed, tables: Reading) => Iterable<Meaning>;
}

/** Services that every operation and every event may use. */
export interface Base {
  /** The state and its notifications. */
  readonly world: World;
  /** The clock of the platform, which tests may move. */
  readonly clock: Clock;
}

/** Parts of a state. */
export interface WorldOptions {
  readonly kinds: Kinds;
  /** The initial rows. */
  readonly rows: Snapshot<Kinds>;
  /** Rules that keep the state consistent. Each rule runs repeatedly until it changes nothing. */
  readonly rules: readonly StateRule[];
  readonly log: Log;
  /** Default: unlimited. */
  readonly limits?: RoomLimits | undefined;
}

/** The state of the emulator and its notifications: commits, rows, and signals. */
export class World {
  /** Ids for new records. */
  readonly ids = new Snowflakes();
  /** Memory accounting of the state's rows. */
  readonly room: Room;
  readonly #state: State<Kinds>;
  readonly #notifying = new EventQueue();
  readonly #signals: Listeners<Signal>;
  readonly #commits: Listeners<Committed>;
  readonly #failed: (failure: Failure) => void;
  #isQuiet = false;

  /** @throws NoRoomError for initial rows that exceed `limits`. */
  constructor({ kinds, rows, rules, log, limits = ENDLESS }: WorldOptions) {
    const failed = (failure: Failure): void => log.warn(failureText(failure));
    this.#failed = failed;
    this.room = new Room(limits);
    this.#signals = new Listeners(failed);
    this.#commits = new Listeners(failed);
    this.#state = new State({
      kinds,
      rules,
      eventQueue: this.#notifying,
      room: this.room,
      committed: (commit) => this.#commits.notify(commit),
      failed,
    });
    this.#state.restore(rows);
  }

  get tables(): Reading {
    return this.#state.tables;
  }

  me(): User {
    const { users, me } = this.tables;
    return users.get(me.value) as User;
  }

  /** Applies changes atomically, and notifies listeners of the resulting events. @throws NoRoomError */
  transaction<T>(change: (tables: Writing) => T): T {
    return this.#state.transaction(change);
  }

  /**
   * Exempts the transactions of `task` from the memory limit, for changes that the emulator makes by itself when they
   * are due.
   */
  always<T>(task: () => T): T {
    return this.#state.always(task);
  }

  /**
   * Lets a transaction of `task` that changes or removes rows exceed the memory limit a little, such as by its log
   * record. If the log record exceeds the limit by too much, the transaction is committed without it.
   */
  clearing<T>(task: () => T): T {
    return this.#state.clearing(task);
  }

  /**
   * Runs a synchronous task on behalf of an application or webhook: the rows that it adds count for this owner, whose
   * share of the memory limits them. Without an owner, as for the operator, only the common limit applies.
   */
  onBehalfOf<T>(owner: string | undefined, task: () => T): T {
    return this.room.shares.run(owner, task);
  }

  /** Returns a function that runs a later part of the current task on behalf of the same owner. */
  continuation(): <T>(task: () => T) => T {
    const { owner } = this.room.shares;
    return (task) => this.onBehalfOf(owner, task);
  }

  /** Carries out a transaction and returns the changed rows. @throws NoRoomError */
  changes(change: (tables: Writing) => void): Transaction['events'] {
    return this.#recorded(() => this.#state.transaction(change));
  }

  /** Whether bots, apps and webhooks receive no events of the current commit. */
  get isQuiet(): boolean {
    return this.#isQuiet;
  }

  /** Runs a task whose commits send no events to bots, apps and webhooks. */
  quietly<T>(task: () => T): T {
    const before = this.#isQuiet;
    this.#isQuiet = true;
    try {
      return task();
    } finally {
      this.#isQuiet = before;
    }
  }

  /** Switches to a state that does not result from the current one, such as a snapshot. Returns the changed rows. */
  replace(rows: Snapshot<Kinds>): Transaction['events'] {
    return this.#recorded(() => this.#state.restore(rows));
  }

  /**
   * Includes the rows of a snapshot in the memory accounting, besides the rows in use, because a reset returns to the
   * snapshot.
   */
  retain(rows: Snapshot<Kinds>): void {
    this.#state.retain(rows);
  }

  /** A copy of the whole state. */
  snapshot(): Snapshot<Kinds> {
    return this.#state.snapshot();
  }

  /**
   * Subscribes to signals. A listener that throws does not affect other listeners, and `recovery` resynchronizes it.
   * The returned function ends the subscription.
   */
  subscribeSignals(listener: (signal: Signal) => void, recovery: Recovery): () => void {
    return this.#signals.add(listener, recovery);
  }

  /**
   * Derives the events of each commit synchronously, and delivers them through the queue after the rows of the commit.
   * A listener or derivation that throws does not affect others, and `recovery` resynchronizes it. The returned
   * function ends the subscription.
   */
  subscribe<Meaning>(
    { tables, derive }: Derivation<Meaning>,
    listener: (meaning: Meaning) => void,
    recovery: Recovery,
  ): () => void {
    const delivery = new Listeners<Meaning>(this.#failed);
    const follow = (commit: Committed): void => {
      if (tables !== undefined && !commit.touches(...tables)) return;
      try {
        for (const meaning of derive(commit, this.tables)) this.queue(() => delivery.notify(meaning));
      } catch (error) {
        // The transaction stays valid, so its caller must not get this error.
        this.queue(() => delivery.lost(error));
      }
    };
    const ends = [delivery.add(listener, recovery), this.subscribeCommits(follow, recovery)];
    return () => {
      for (const end of ends) end();
    };
  }

  /**
   * Delivers the changed rows of each transaction, regardless of visibility, before the derived events. If a listener
   * makes changes, they are delivered after those already in the queue.
   */
  subscribeRows(listener: (transaction: Transaction) => void, recovery: Recovery): () => void {
    return this.#state.subscribe(listener, recovery);
  }

  /**
   * Delivers each commit synchronously and before any notification, while the states before and after can be compared.
   * The listener may read and remember, but must not change anything. The returned function ends the subscription.
   */
  subscribeCommits(listener: (commit: Committed) => void, recovery: Recovery): () => void {
    return this.#commits.add(listener, recovery);
  }

  /** Publishes a signal. If a listener causes further signals, they are delivered after those already in the queue. */
  signal(signal: Signal): void {
    this.queue(() => this.#signals.notify(signal));
    this.#notifying.run();
  }

  /** Queues a notification. The notifications of a commit come before those of the next commit. */
  queue(notify: () => void): void {
    this.#notifying.add(notify);
  }

  /** The changed rows of the first commit of a task, without the changes that listeners make. */
  #recorded(task: () => void): Transaction['events'] {
    let events: Transaction['events'] = [];
    const record = (commit: Committed): void => {
      stop();
      events = [...commit.events()];
    };
    const stop = this.subscribeCommits(record, { name: 'the record of a change', recover: () => {} });
    try {
      task();
    } finally {
      stop();
    }
    return events;
  }
}

/** Log message for a listener that has thrown. The message contains nothing of the payload. */
function failureText({ name, error, unrecovered }: Failure): string {
  const what = `${name} could not follow a change of the state (${kindOf(error)})`;
  return unrecovered === undefined
    ? `${what}, and went on from the state as it is`
    : `${what}, nor go on from the state as it is (${kindOf(unrecovered)}): start the emulator again`;
}

function kindOf(error: unknown): string {
  return error instanceof Error ? error.name : typeof error;
}
