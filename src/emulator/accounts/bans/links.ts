import type { Stored } from '../../../base/saves.ts';
import type { Transaction, World } from '../../api/world.ts';
import { SettingError } from '../../kernel/errors.ts';
import type { RequestQueue } from '../consent/queue.ts';
import { type ExternalAccounts, isLinked } from '../external-accounts.ts';
import type { OAuth2 } from '../oauth2/oauth2.ts';
import type { ExternalIdentity } from '../records.ts';
import type { Bans } from './bans.ts';

/** Ended links between a user and applications, and whether their end was saved. */
export interface Ending {
  /** Ids of the applications. */
  readonly applications: readonly string[];
  /** The external identities that were linked, each with its new account. */
  readonly identities: readonly ExternalIdentity[];
  readonly saved: Stored;
}

/** Services for links. */
export interface LinksOptions {
  readonly world: World;
  readonly bans: Bans;
  readonly oauth2: OAuth2;
  readonly external: ExternalAccounts;
  readonly requests: RequestQueue;
}

/**
 * Ends links between users and applications without the application's involvement: by a ban, by unlinking, or by
 * removing the application. Each end is atomic and emits `tokens-revoked`. Other services react to this signal with a
 * webhook event, closed sessions, and a new account for each external identity.
 */
export class Links {
  readonly #options: LinksOptions;
  /** Effects of bans that are not saved yet. */
  readonly #endings = new Map<string, Promise<Ending>>();

  constructor(options: LinksOptions) {
    this.#options = options;
  }

  /** Ends stored links of users whom the fixture bans. */
  start(): void {
    const { bans, world } = this.#options;
    for (const { user } of world.tables.account_bans) if (bans.isBanned(user)) void this.#endAll(user);
  }

  /** Carries out new bans, whatever created them, and lifts the restrictions of a ban when it ends. */
  follow({ events }: Transaction): void {
    for (const event of events) {
      if (event.table !== 'account_bans') continue;
      if (event.kind === 'removed') this.#options.external.lift(event.before.user);
      else this.#endBanned(event.after.user);
    }
  }

  #endBanned(user: string): void {
    const { bans, world, requests } = this.#options;
    if (!bans.isBanned(user)) return;
    if (user === world.me().id) requests.withdrawAll('the account is banned');
    const ending = this.#endAll(user);
    this.#endings.set(user, ending);
    void ending.then(() => this.#endings.delete(user));
  }

  /** Bans a user and ends all of the user's links. Rejects with SettingError as `Bans.ban` does. */
  async ban(userId: string, until: number | null): Promise<Ending> {
    this.#checkPerson(userId);
    this.#options.bans.ban(userId, until);
    // `follow` has run by now, and normally has begun the ending.
    return this.#endings.get(userId) ?? this.#endAll(userId);
  }

  /**
   * Ends the link of a user with an application, for unlinking by the user and for removal of the application. Rejects
   * with SettingError where there is no link.
   */
  async end(userId: string, clientId: string): Promise<Ending> {
    this.#checkPerson(userId);
    const linked = this.#linkedWith(userId);
    if (linked.includes(clientId)) return this.#end(userId, [clientId]);
    const { users, applications } = this.#options.world.tables;
    const nameOf = (id: string) => applications.get(id)?.name ?? id;
    const others =
      linked.length === 0 ? 'nor with any other application' : `only with ${linked.map(nameOf).join(', ')}`;
    const name = users.get(userId)?.username ?? userId;
    throw new SettingError('app', `${name} is not linked with ${nameOf(clientId)}, ${others}`);
  }

  #endAll(userId: string): Promise<Ending> {
    return this.#end(userId, this.#linkedWith(userId));
  }

  async #end(userId: string, applications: readonly string[]): Promise<Ending> {
    const { oauth2, world } = this.#options;
    const before = this.#links(userId).filter(({ application }) => applications.includes(application));
    const all = await Promise.all(applications.map((one) => oauth2.revokeAll(userId, one)));
    const { external_identities: table } = world.tables;
    return {
      applications,
      identities: before.flatMap(
        ({ application, provider, external_user_id }) =>
          table.get(application, provider, external_user_id) ?? [],
      ),
      saved: all.find(({ stored }) => !stored) ?? { stored: true },
    };
  }

  /** Ids of applications with links to a user; authorized applications come first. */
  #linkedWith(userId: string): readonly string[] {
    const linked = this.#links(userId).map(({ application }) => application);
    return [...new Set([...this.#options.oauth2.authorizedBy(userId), ...linked])];
  }

  #links(userId: string): readonly ExternalIdentity[] {
    const { external_identities } = this.#options.world.tables;
    return [...external_identities.by('user', userId)].filter(isLinked);
  }

  #checkPerson(userId: string): void {
    const { external, world } = this.#options;
    if (!external.isProvisional(userId)) return;
    const name = world.tables.users.get(userId)?.username ?? userId;
    throw new SettingError('user', `${name} is an account of a game alone, and not one of the platform`);
  }
}
