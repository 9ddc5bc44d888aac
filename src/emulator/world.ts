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
import { type Rule, State } from './state/state.ts';
import type { ReadTables, Snapshot, Tables } from './state/tables.ts';
import { Listeners, Telling } from './state/telling.ts';
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
  readonly #state: State<Kinds>;
  readonly #telling = new Telling();
  readonly #listeners: Listeners<Change>;
  readonly #commits: Listeners<Committed>;
  /** Takes what the transaction under way is told as. */
  #collect: ((changes: readonly Change[]) => void) | undefined;

  /** `rules` keep true what goes by the time, too. */
  constructor(rows: Snapshot<Kinds>, log: Log, rules: readonly StateRule[] = []) {
    const failed = (event: string, error: unknown): void => {
      log.warn(`a listener failed on ${event}: ${error instanceof Error ? error.name : typeof error}`);
    };
    this.#listeners = new Listeners(({ type }, error) => failed(type, error));
    this.#commits = new Listeners((_, error) => failed('a transaction', error));
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
      committed: (commit) => this.#committed(commit),
      failed: ({ number }, error) => failed(`transaction ${number}`, error),
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

  /** Applies changes at once, or none when something throws, and tells what they mean. */
  transaction<T>(change: (tables: Writing) => T): T {
    return this.#state.transaction(change);
  }

  /** The same; returns what is told. */
  changes(change: (tables: Writing) => void): readonly Change[] {
    return this.#collected(() => this.#state.transaction(change));
  }

  /** Becomes another state, which does not follow from the current one. */
  replace(rows: Snapshot<Kinds>): readonly Change[] {
    return this.#collected(() => this.#state.restore(rows));
  }

  /** All that it holds. */
  snapshot(): Snapshot<Kinds> {
    return this.#state.snapshot();
  }

  subscribe(listener: (change: Change) => void): () => void {
    return this.#listeners.add(listener);
  }

  /**
   * Tells the rows that each transaction made different, whoever may see them, before what that means is told. What a
   * listener does about it is told after what waits already.
   */
  subscribeRows(listener: (transaction: Transaction) => void): () => void {
    return this.#state.subscribe(listener);
  }

  /**
   * Shows each transaction at once, while what was and what is can be held against each other, and before anything is told. The
   * listener may look and remember; it changes nothing. The returned function ends it.
   */
  subscribeCommits(listener: (commit: Committed) => void): () => void {
    return this.#commits.add(listener);
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
    const changes = derivations.flatMap((derive) => derive(commit, this.tables));
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
