import type { Clock } from '../kernel/clock.ts';
import type { Log } from '../kernel/log.ts';
import { Snowflakes } from '../kernel/snowflake.ts';
import type { Commit, RowEvents } from '../kernel/state/commit.ts';
import { ENDLESS, Room, type RoomLimits } from '../kernel/state/room.ts';
import { type Rule, State } from '../kernel/state/state.ts';
import type { ReadTables, Snapshot, Tables } from '../kernel/state/tables.ts';
import { type Failure, Listeners, type Recovery, Telling } from '../kernel/state/telling.ts';
import type { Kinds } from '../schema.ts';
import type { User } from '../users/records.ts';
import type { Signal } from './signals.ts';

/** The tables of the emulator, to look at. */
export type Reading = ReadTables<Kinds>;
/** The tables of the emulator, to change. */
export type Writing = Tables<Kinds>;
/** What a transaction on them made different. */
export type Committed = Commit<Kinds>;
/** The same, row by row, to keep and to tell: kind, table, before and after of each. */
export type Transaction = RowEvents<Kinds>;
/** Keeps them true to themselves. */
export type StateRule = Rule<Kinds>;
/** What a commit means to one audience. */
export interface Derivation<Meaning> {
  /** It is derived only from commits that changed one of these; without them from every commit. */
  readonly tables?: readonly (keyof Reading)[];
  /** Reads the commit and the tables while both fit together; changes nothing. */
  readonly derive: (commit: Committed, tables: Reading) => Iterable<Meaning>;
}

/** What every operation and every event works with. */
export interface Base {
  /** The state, and what is told of it. */
  readonly world: World;
  /** The time of the platform, which a test may move. */
  readonly clock: Clock;
}

/** What a state is made of. */
export interface WorldOptions {
  readonly kinds: Kinds;
  /** What it holds in the beginning. */
  readonly rows: Snapshot<Kinds>;
  /** Keep it true to itself, each until nothing follows any more. */
  readonly rules: readonly StateRule[];
  readonly log: Log;
  /** Default: as many bytes as there are. */
  readonly limits?: RoomLimits | undefined;
}

/** The state of the emulator, and what is told of it: commits, rows, and signals. */
export class World {
  /** Ids for what comes into being. */
  readonly ids = new Snowflakes();
  /** The memory of its rows. */
  readonly room: Room;
  readonly #state: State<Kinds>;
  readonly #telling = new Telling();
  readonly #signals: Listeners<Signal>;
  readonly #commits: Listeners<Committed>;
  readonly #failed: (failure: Failure) => void;

  /** @throws NoRoomError for rows that take more than `limits` allow. */
  constructor({ kinds, rows, rules, log, limits = ENDLESS }: WorldOptions) {
    const failed = (failure: Failure): void => log.warn(failureText(failure));
    this.#failed = failed;
    this.room = new Room(limits);
    this.#signals = new Listeners(failed);
    this.#commits = new Listeners(failed);
    this.#state = new State({
      kinds,
      rules,
      telling: this.#telling,
      room: this.room,
      committed: (commit) => this.#commits.tell(commit),
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

  /** Applies changes at once, or none when something throws, and tells what they mean. @throws NoRoomError */
  transaction<T>(change: (tables: Writing) => T): T {
    return this.#state.transaction(change);
  }

  /** Lets no transaction in `task` be refused for want of room: for what happens by itself. */
  always<T>(task: () => T): T {
    return this.#state.always(task);
  }

  /** Lets a transaction in `task` that changes or removes rows add a little beyond the limit, and leaves out its note where that is too much. */
  clearing<T>(task: () => T): T {
    return this.#state.clearing(task);
  }

  /** The same as a transaction; returns the rows that became different. @throws NoRoomError */
  changes(change: (tables: Writing) => void): Transaction['events'] {
    return this.#recorded(() => this.#state.transaction(change));
  }

  /** Becomes another state, which does not follow from the current one; returns the rows that became different. */
  replace(rows: Snapshot<Kinds>): Transaction['events'] {
    return this.#recorded(() => this.#state.restore(rows));
  }

  /** Counts the rows of a state, beside those in force, for as long as it is the one to go back to. */
  keep(rows: Snapshot<Kinds>): void {
    this.#state.keep(rows);
  }

  /** All that it holds. */
  snapshot(): Snapshot<Kinds> {
    return this.#state.snapshot();
  }

  /** Tells signals. One that throws disturbs nobody, and recovers. The returned function ends it. */
  subscribeSignals(listener: (signal: Signal) => void, recovery: Recovery): () => void {
    return this.#signals.add(listener, recovery);
  }

  /**
   * Derives what each commit means to `listener` at once, and delivers it in the queue, after the rows of the commit. One that
   * throws disturbs nobody, and recovers, as it does where nothing could be derived. The returned function ends it.
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
        for (const meaning of derive(commit, this.tables)) this.queue(() => delivery.tell(meaning));
      } catch (error) {
        // The transaction counts all the same, and whoever asked for it must not get this error.
        this.queue(() => delivery.lost(error));
      }
    };
    const ends = [delivery.add(listener, recovery), this.subscribeCommits(follow, recovery)];
    return () => {
      for (const end of ends) end();
    };
  }

  /**
   * Tells the rows that each transaction made different, whoever may see them, before what that means is told. What a
   * listener does about it is told after what waits already.
   */
  subscribeRows(listener: (transaction: Transaction) => void, recovery: Recovery): () => void {
    return this.#state.subscribe(listener, recovery);
  }

  /**
   * Shows each transaction at once, while what was and what is can be held against each other, and before anything is told. The
   * listener may look and remember; it changes nothing. The returned function ends it.
   */
  subscribeCommits(listener: (commit: Committed) => void, recovery: Recovery): () => void {
    return this.#commits.add(listener, recovery);
  }

  /** Tells what is no change of the state. What a listener causes is told after what waits already. */
  tell(signal: Signal): void {
    this.queue(() => this.#signals.tell(signal));
    this.#telling.run();
  }

  /** Puts something to be told behind all that waits; of a commit, before the next. */
  queue(tell: () => void): void {
    this.#telling.add(tell);
  }

  /** The rows that the first commit of a task makes different; what listeners do about it is not part of it. */
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

/** What the log says of a listener that has thrown; nothing of what it was told. */
function failureText({ name, error, unrecovered }: Failure): string {
  const what = `${name} could not follow a change of the state (${kindOf(error)})`;
  return unrecovered === undefined
    ? `${what}, and went on from the state as it is`
    : `${what}, nor go on from the state as it is (${kindOf(unrecovered)}): start the emulator again`;
}

function kindOf(error: unknown): string {
  return error instanceof Error ? error.name : typeof error;
}
