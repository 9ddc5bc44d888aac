import { ApiError, full, generalError } from '../api/api-error.ts';
import type { Transaction, World, Writing } from '../api/world.ts';
import type { KnownApplication } from '../applications/applications.ts';
import type { Clock } from '../kernel/clock.ts';
import { MAX_RECORDS } from '../kernel/limits.ts';
import { hasProvisionalFlag, type User } from '../users/records.ts';
import type { External } from './external.ts';
import { type ExternalProof, identify } from './external-token.ts';
import { copyAccount, moveAccount, provisionalUser } from './migration.ts';
import type { OAuth2 } from './oauth2/oauth2.ts';
import { type ExternalIdentity, providerTypeOf } from './records.ts';

/** Duration of merging a provisional account into another, in milliseconds. The figure is Footbridge's own. */
const MERGE_MS = 1_000;

/** Ids of applications that have become games of a publisher. */
export function adoptedIn({ events }: Transaction): string[] {
  return events.flatMap((event) =>
    event.table === 'applications' &&
    event.kind === 'updated' &&
    event.after.parent !== null &&
    event.after.parent !== event.before.parent
      ? [event.after.id]
      : [],
  );
}

/** Services for external accounts. */
export interface ExternalAccountsOptions {
  readonly world: World;
  readonly clock: Clock;
  readonly application: (clientId: string) => KnownApplication | undefined;
  readonly introspect: OAuth2['introspect'];
  /** Whether an application has tokens of a user. */
  readonly uses: (userId: string, clientId: string) => boolean;
  /** Whether an account, possibly a deleted one, has ever authorized an application. */
  readonly isAuthorized: (userId: string) => boolean;
  /** Whether a user is banned from the platform. */
  readonly isBanned: (userId: string) => boolean;
}

/** Provisional accounts of games, and their links with accounts of the platform. */
export class ExternalAccounts {
  readonly #options: ExternalAccountsOptions;
  readonly #world: World;

  constructor(options: ExternalAccountsOptions) {
    this.#options = options;
    this.#world = options.world;
  }

  /** Schedules the completion of each running merge. */
  start(): void {
    for (const identity of this.#world.tables.external_identities) {
      if (identity.status === 'merging') this.#finishLater(identity);
    }
  }

  /**
   * Schedules the completion of each new merge, whatever started it, and clears the identities of adopted applications.
   */
  follow(transaction: Transaction): void {
    for (const event of transaction.events) {
      if (event.table !== 'external_identities' || event.kind === 'removed') continue;
      if (event.after.status === 'merging') this.#finishLater(event.after);
    }
    for (const application of adoptedIn(transaction)) this.#clear(application);
  }

  /**
   * Identifies the subject of an external token. Rejects with ApiError for a token that is invalid or for another
   * application.
   */
  async identify(clientId: string, proof: ExternalProof): Promise<External> {
    return identify(this.#options, this.#options.application(clientId), proof);
  }

  find(application: string, { provider, externalUserId }: External): ExternalIdentity | undefined {
    return this.#world.tables.external_identities.get(application, provider, externalUserId);
  }

  /**
   * The provisional account of an external identity, created when there is none yet.
   * @throws ApiError 530010 where the identity is linked with an account of the platform.
   */
  provisional(application: string, external: External): User {
    const { tables } = this.#world;
    const identity = this.find(application, external);
    if (identity === undefined) return this.#make(application, external);
    if (isLinked(identity)) throw nonProvisional(identity);
    const user = tables.users.get(identity.user) as User;
    if (external.name === null || external.name === user.global_name) return user;
    return this.#write(application, ({ users }) => users.update(user.id, { global_name: external.name }));
  }

  /**
   * Adds another identity to a provisional account of an application.
   * @throws ApiError 10013 for any other account, 530010 where the identity belongs to another account.
   */
  adopt(application: string, external: External, userId: string): void {
    const { external_identities: table } = this.#world.tables;
    const held = [...table.by('user', userId)];
    if (!held.some((one) => one.application === application && !isLinked(one)))
      throw new ApiError('UnknownUser');
    const taken = this.find(application, external);
    if (taken?.user === userId) return;
    if (taken !== undefined) throw nonProvisional(taken);
    if (table.size >= MAX_RECORDS) throw full('external identities');
    const { provider, externalUserId: external_user_id } = external;
    this.#write(application, (writing) =>
      writing.external_identities.insert({
        application,
        provider,
        external_user_id,
        user: userId,
        status: 'provisional',
        source: null,
      }),
    );
  }

  #make(application: string, { provider, externalUserId, name }: External): User {
    const { users, external_identities: table } = this.#world.tables;
    if (table.size >= MAX_RECORDS) throw full('external identities');
    if (users.size >= MAX_RECORDS) throw full('users');
    return this.#write(application, (writing) => {
      const user = writing.users.put(provisionalUser(this.#nextId(), name));
      writing.external_identities.put({
        application,
        provider,
        external_user_id: externalUserId,
        user: user.id,
        status: 'provisional',
        source: null,
      });
      return user;
    });
  }

  /**
   * Links an external identity with a user. The data of its provisional account is moved a moment later, and that account is
   * then removed.
   * @throws ApiError 530010, 530016, 530017, 530023, or 423 while the identity is being merged.
   */
  link(application: string, external: External, userId: string): void {
    const { tables } = this.#world;
    const { provider, externalUserId } = external;
    if (this.isProvisional(userId)) throw new ApiError('MergeDestinationIsProvisional');
    const identity = this.find(application, external);
    if (identity !== undefined && isLinked(identity)) {
      if (identity.user !== userId) throw nonProvisional(identity);
      if (identity.status === 'merging') throw locked();
      return;
    }
    if (identity?.status === 'restricted') throw new ApiError('MergeSourceUserIsBanned');
    const others = [...tables.external_identities.by('user', userId)];
    if (others.some((other) => other.application === application))
      throw new ApiError('UserAlreadyHasAnExternalIdentityOfThisApplication');
    if (identity === undefined && tables.external_identities.size >= MAX_RECORDS) {
      throw full('external identities');
    }
    this.#write(application, ({ external_identities }) =>
      external_identities.put({
        application,
        provider,
        external_user_id: externalUserId,
        user: userId,
        status: identity === undefined ? 'linked' : 'merging',
        source: identity?.user ?? null,
      }),
    );
  }

  /** A transaction on behalf of the application, whose tokens were checked in the meantime. */
  #write<T>(application: string, change: (tables: Writing) => T): T {
    return this.#world.onBehalfOf(application, () => this.#world.transaction(change));
  }

  /** Whether an account is provisional. */
  isProvisional(userId: string): boolean {
    const { users, external_identities } = this.#world.tables;
    const held = [...external_identities.by('user', userId)];
    return held.some((one) => !isLinked(one)) || hasProvisionalFlag(users.get(userId));
  }

  /** The link of an application with a user; undefined when there is none. */
  linkOf(application: string, userId: string): ExternalIdentity | undefined {
    const held = [...this.#world.tables.external_identities.by('user', userId)];
    return held.find((one) => one.application === application && isLinked(one));
  }

  /**
   * Ends the links of an application with a user whose tokens were revoked. Each identity gets a new provisional
   * account, which is restricted if the user is banned.
   */
  sever(application: string, userId: string): void {
    const { uses, isBanned } = this.#options;
    const { tables } = this.#world;
    const before = tables.users.get(userId);
    const links = [...tables.external_identities.by('user', userId)].filter(
      (one) => one.application === application && isLinked(one),
    );
    if (before === undefined || links.length === 0) return;
    const banned = isBanned(userId);
    const plays = (one: string): boolean =>
      uses(one, application) ||
      [...tables.external_identities.by('user', one)].some((held) => held.application === application);
    this.#write(application, (writing) => {
      for (const link of links) {
        this.#move(writing, link);
        const name = (before.global_name ?? before.username).slice(0, 32);
        const after = writing.users.put(provisionalUser(this.#nextId(), name));
        copyAccount(writing, { application, before: userId, after: after.id, plays });
        writing.external_identities.update(keyOf(link), {
          user: after.id,
          status: banned ? 'restricted' : 'provisional',
          source: banned ? userId : null,
        });
      }
    });
  }

  /** Permits merging again for identities that a user's ban had restricted. */
  lift(userId: string): void {
    this.#world.transaction(({ external_identities: table }) => {
      for (const identity of [...table.by('source', userId)]) {
        if (identity.status === 'restricted') {
          table.update(keyOf(identity), { status: 'provisional', source: null });
        }
      }
    });
  }

  /**
   * Removes the identities of an application that became a game of a publisher, because such a game has no users of its
   * own.
   */
  #clear(application: string): void {
    this.#world.transaction(({ external_identities: table, users }) => {
      for (const identity of [...table.by('application', application)]) {
        if (isLinked(identity)) table.remove(keyOf(identity));
        // Removing a provisional account also removes its identity.
        else users.remove(identity.user);
      }
    });
  }

  /** Schedules the completion of a merge. */
  #finishLater(identity: ExternalIdentity): void {
    this.#options.clock.setTimeout(() => {
      // Meanwhile the identity may have been unmerged, or a new identity may have the same key.
      const now = this.#world.tables.external_identities.get(keyOf(identity));
      if (now?.status !== 'merging' || now.source !== identity.source) return;
      this.#world.transaction((writing) => {
        this.#move(writing, now);
        writing.external_identities.update(keyOf(now), { status: 'linked', source: null });
      });
    }, MERGE_MS);
  }

  #move(writing: Writing, { user, status, source }: ExternalIdentity): void {
    if (status === 'merging' && source !== null && writing.users.has(source)) {
      moveAccount(writing, source, user);
    }
  }

  /**
   * A new user id. It must not repeat the id of a deleted account, whose tokens may still exist; without this check, a
   * changed clock could repeat one.
   */
  #nextId(): string {
    const { clock, isAuthorized } = this.#options;
    const { users } = this.#world.tables;
    return this.#world.ids.next(clock.now(), (id) => users.has(id) || isAuthorized(id));
  }
}

/** Whether an external identity is linked with an account of the platform. */
export function isLinked({ status }: ExternalIdentity): boolean {
  return status === 'linked' || status === 'merging';
}

function keyOf({ application, provider, external_user_id }: ExternalIdentity): string {
  return `${application} ${provider} ${external_user_id}`;
}

function nonProvisional(identity: ExternalIdentity): ApiError {
  const { user, provider, external_user_id } = identity;
  const { type, id } = providerTypeOf(provider);
  return new ApiError('UserAccountIsNotProvisional', {
    more: {
      user_id: user,
      provider_type: type,
      provider_id: id,
      provider_issued_user_id: external_user_id,
    },
  });
}

/** Access to provisional accounts. */
export interface HasExternalAccounts {
  readonly external: ExternalAccounts;
}

/** The 423 error: a running operation on the account must complete first. */
function locked(): ApiError {
  return generalError(423, 'Resource is locked: the account is being merged');
}
