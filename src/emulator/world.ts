import { endEmptyInstances } from './activities/activities.ts';
import { type Change, derivations } from './change.ts';
import { dropLostThreads } from './channels/channels.ts';
import { settlePrivateChannels } from './channels/private-records.ts';
import { showNoHiddenChannel } from './client/client.ts';
import { pruneCommandPermissions } from './commands/prune.ts';
import { keepProfilesWithIdentities } from './identities/identities.ts';
import { endTemporaryMembership } from './invites/temporary.ts';
import { endLobbyCalls } from './lobbies/call-records.ts';
import { dropLobbiesOfApplications } from './lobbies/drop.ts';
import { mirrorLinkedChannels } from './lobbies/mirror.ts';
import type { Log } from './log.ts';
import { followCrossposts } from './messages/crossposts.ts';
import { endInvites } from './presence/invitations.ts';
import { type Kinds, kinds } from './records.ts';
import { Snowflakes } from './snowflake.ts';
import type { Commit, RowEvents } from './state/commit.ts';
import { ENDLESS, Room, type RoomLimits } from './state/room.ts';
import { type Rule, State } from './state/state.ts';
import type { ReadTables, Snapshot, Tables } from './state/tables.ts';
import { type Failure, Listeners, type Recovery, Telling } from './state/telling.ts';
import type { User } from './users/records.ts';
import { settleVoice } from './voice/settle.ts';

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
/** Says what a transaction means to those who listen. */
export type Derive<Told> = (commit: Committed, tables: Reading) => readonly Told[];

/** The state of the emulator, and what is told of it. */
export class World {
  /** Ids for what comes into being. */
  readonly ids = new Snowflakes();
  /** The memory of its rows. */
  readonly room: Room;
  readonly #state: State<Kinds>;
  readonly #telling = new Telling();
  readonly #listeners: Listeners<Change>;
  readonly #commits: Listeners<Committed>;
  /** Takes what the transaction under way is told as. */
  #collect: ((changes: readonly Change[]) => void) | undefined;

  /** `rules` keep true what goes by the time, too. @throws NoRoomError for rows that take more than `limits` allow. */
  constructor(
    rows: Snapshot<Kinds>,
    log: Log,
    rules: readonly StateRule[] = [],
    limits: RoomLimits = ENDLESS,
  ) {
    const failed = (failure: Failure): void => log.warn(failureText(failure));
    this.room = new Room(limits);
    this.#listeners = new Listeners(failed);
    this.#commits = new Listeners(failed);
    this.#state = new State({
      kinds,
      rules: [
        dropLostThreads,
        settlePrivateChannels,
        followCrossposts,
        endTemporaryMembership,
        keepProfilesWithIdentities,
        settleVoice,
        showNoHiddenChannel,
        mirrorLinkedChannels,
        dropLobbiesOfApplications,
        endLobbyCalls,
        pruneCommandPermissions,
        endEmptyInstances,
        endInvites,
        ...rules,
      ],
      telling: this.#telling,
      room: this.room,
      committed: (commit) => this.#committed(commit),
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

  /** Lets no transaction in `task` be refused for want of room that changes or removes rows. */
  clearing<T>(task: () => T): T {
    return this.#state.clearing(task);
  }

  /** The same as a transaction; returns what is told. */
  changes(change: (tables: Writing) => void): readonly Change[] {
    return this.#collected(() => this.#state.transaction(change));
  }

  /** Becomes another state, which does not follow from the current one. */
  replace(rows: Snapshot<Kinds>): readonly Change[] {
    return this.#collected(() => this.#state.restore(rows));
  }

  /** Counts the rows of a state, beside those in force, for as long as it is the one to go back to. */
  keep(rows: Snapshot<Kinds>): void {
    this.#state.keep(rows);
  }

  /** All that it holds. */
  snapshot(): Snapshot<Kinds> {
    return this.#state.snapshot();
  }

  /** Tells what transactions mean. One that throws disturbs nobody, and recovers. The returned function ends it. */
  subscribe(listener: (change: Change) => void, recovery: Recovery): () => void {
    return this.#listeners.add(listener, recovery);
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

  /** Tells changes in order. A change that a listener causes is told after the ones already waiting. */
  tell(...changes: readonly Change[]): void {
    for (const change of changes) this.#telling.add(() => this.#listeners.tell(change));
    this.#telling.run();
  }

  #committed(commit: Committed): void {
    this.#commits.tell(commit);
    // A state that is only being filled has nobody to tell.
    if (this.#listeners.size === 0 && this.#collect === undefined) return;
    const changes: Change[] = [];
    for (const derive of derivations) {
      try {
        changes.push(...derive(commit, this.tables));
      } catch (error) {
        // The transaction counts all the same: whoever asked for it is not to hear otherwise.
        this.#telling.add(() => this.#listeners.lost(error));
      }
    }
    this.#collect?.(changes);
    for (const change of changes) this.#telling.add(() => this.#listeners.tell(change));
  }

  #collected(change: () => void): readonly Change[] {
    let collected: readonly Change[] = [];
    this.#collect = (changes) => {
      collected = changes;
      // What listeners do about it is not part of it.
      this.#collect = undefined;
    };
    try {
      change();
    } finally {
      this.#collect = undefined;
    }
    return collected;
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
