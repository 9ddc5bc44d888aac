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
/** The changes row by row, to store and to publish: kind, table, before and after of each. */
export type Transaction = RowEvents<Kinds>;
/** A rule that keeps the tables consistent. */
export type StateRule = Rule<Kinds>;
/** The events that a commit means to one audience. */
export interface Derivation<Meaning> {
  /** Tables whose changes it is derived from; without them it is derived from every commit. */
  readonly tables?: readonly (keyof Reading)[];
  /** Reads the commit and the tables while both are consistent; changes nothing. */
  readonly derive: (commit: Committed, tables: Reading) => Iterable<Meaning>;
}

/** Services that every operation and every event uses. */
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
  /** Keep the state consistent; each runs until it changes nothing. */
  readonly rules: readonly StateRule[];
  readonly log: Log;
  /** Default: unlimited. */
  readonly limits?: RoomLimits | undefined;
}

/** The state of the emulator and its notifications: commits, rows, and signals. */
export class World {
  /** Ids for new records. */
  readonly ids = new Snowflakes();
  /** Memory accounting of its rows. */
  readonly room: Room;
  readonly #state: State<Kinds>;
  readonly #telling = new EventQueue();
  readonly #signals: Listeners<Signal>;
  readonly #commits: Listeners<Committed>;
  readonly #failed: (failure: Failure) => void;

  /** @throws NoRoomError for rows that exceed `limits`. */
  constructor({ kinds, rows, rules, log, limits = ENDLESS }: WorldOptions) {
    const failed = (failure: Failure): void => log.warn(failureText(failure));
    this.#failed = failed;
    this.room = new Room(limits);
    this.#signals = new Listeners(failed);
    this.#commits = new Listeners(failed);
    this.#state = new State({
      kinds,
      rules,
      eventQueue: this.#telling,
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

  /** Applies changes atomically and notifies listeners of their meaning. @throws NoRoomError */
  transaction<T>(change: (tables: Writing) => T): T {
    return this.#state.transaction(change);
  }

  /** Exempts the transactions of `task` from the memory limit: for changes that happen by themselves. */
  always<T>(task: () => T): T {
    return this.#state.always(task);
  }

  /**
   * Lets a transaction of `task` that changes or removes rows exceed the limit a little, and omits its note where that is
   * too much.
   */
  clearing<T>(task: () => T): T {
    return this.#state.clearing(task);
  }

  /** Runs a transaction; returns the changed rows. @throws NoRoomError */
  changes(change: (tables: Writing) => void): Transaction['events'] {
    return this.#recorded(() => this.#state.transaction(change));
  }

  /** Switches to another state that does not follow from the current one; returns the changed rows. */
  replace(rows: Snapshot<Kinds>): Transaction['events'] {
    return this.#recorded(() => this.#state.restore(rows));
  }

  /** Counts the rows of a saved state, beside those in use, while it is the one to go back to. */
  keep(rows: Snapshot<Kinds>): void {
    this.#state.keep(rows);
  }

  /** A copy of the whole state. */
  snapshot(): Snapshot<Kinds> {
    return this.#state.snapshot();
  }

  /**
   * Subscribes to signals. A listener that throws affects no other, and recovers. The returned function ends the
   * subscription.
   */
  subscribeSignals(listener: (signal: Signal) => void, recovery: Recovery): () => void {
    return this.#signals.add(listener, recovery);
  }

  /**
   * Derives the meaning of each commit synchronously and delivers it through the queue, after the rows of the commit. A
   * listener or derivation that throws affects no other, and recovers. The returned function ends the subscription.
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
        // The transaction stays valid, and its caller must not get this error.
        this.queue(() => delivery.lost(error));
      }
    };
    const ends = [delivery.add(listener, recovery), this.subscribeCommits(follow, recovery)];
    return () => {
      for (const end of ends) end();
    };
  }

  /**
   * Delivers the changed rows of each transaction, regardless of visibility, before the derived events. Changes that a
   * listener makes are delivered after those that are queued already.
   */
  subscribeRows(listener: (transaction: Transaction) => void, recovery: Recovery): () => void {
    return this.#state.subscribe(listener, recovery);
  }

  /**
   * Delivers each commit synchronously, while the states before and after can be compared, and before any notification. The
   * listener may read and remember; it changes nothing. The returned function ends the subscription.
   */
  subscribeCommits(listener: (commit: Committed) => void, recovery: Recovery): () => void {
    return this.#commits.add(listener, recovery);
  }

  /** Publishes a signal. Signals that a listener causes are delivered after those that are queued already. */
  signal(signal: Signal): void {
    this.queue(() => this.#signals.notify(signal));
    this.#telling.run();
  }

  /** Queues a notification; those of a commit come before those of the next. */
  queue(notify: () => void): void {
    this.#telling.add(notify);
  }

  /** The changed rows of the first commit of a task; changes that listeners make are not part of it. */
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

/** Log message for a listener that has thrown; contains nothing of the payload. */
function failureText({ name, error, unrecovered }: Failure): string {
  const what = `${name} could not follow a change of the state (${kindOf(error)})`;
  return unrecovered === undefined
    ? `${what}, and went on from the state as it is`
    : `${what}, nor go on from the state as it is (${kindOf(unrecovered)}): start the emulator again`;
}

function kindOf(error: unknown): string {
  return error instanceof Error ? error.name : typeof error;
}
