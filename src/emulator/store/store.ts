import type { Clock } from '../clock.ts';
import { SettingError } from '../errors.ts';
import { MOST_RECORDS } from '../limits.ts';
import type { User } from '../users/records.ts';
import type { Derive, World } from '../world.ts';
import type { Entitlement, Sku } from './records.ts';

/** What becomes different about what the logged-in user owns. */
export type EntitlementChange = {
  readonly type: 'entitlement-created' | 'entitlement-removed';
  readonly entitlement: Entitlement;
};

/** One that is taken back may stay in the list as deleted. */
export const entitlementChanges: Derive<EntitlementChange> = (commit, { me }) => {
  const owned = ({ user, deleted }: Entitlement): boolean => user === me.value && !deleted;
  const { created, updated, removed } = commit.of('entitlements');
  const given = updated.filter(({ before, after }) => !owned(before) && owned(after));
  const taken = updated.filter(({ before, after }) => owned(before) && !owned(after));
  return [
    ...[...created.filter(owned), ...given.map(({ after }) => after)].map(
      (entitlement) => ({ type: 'entitlement-created', entitlement }) as const,
    ),
    ...[...removed.filter(owned), ...taken.map(({ before }) => before)].map(
      (gone) => ({ type: 'entitlement-removed', entitlement: { ...gone, deleted: true } }) as const,
    ),
  ];
};

/** What becomes different about who takes part in an application's embedded activity. */
export type ParticipantsChange = { readonly type: 'participants-updated'; readonly applicationId: string };

/** Once for each application. */
export const participantChanges: Derive<ParticipantsChange> = (commit) => {
  const { created, removed } = commit.of('participants');
  const applications = new Set([...created, ...removed].map(({ application }) => application));
  return [...applications].map((applicationId) => ({ type: 'participants-updated', applicationId }));
};

/** What applications sell, and who owns or takes part in them. */
export class ApplicationStore {
  readonly #world: World;
  readonly #clock: Clock;

  constructor(world: World, clock: Clock) {
    this.#world = world;
    this.#clock = clock;
  }

  skus(applicationId: string): readonly Sku[] {
    return [...this.#world.tables.skus.by('application', applicationId)];
  }

  /** What the logged-in user owns of an application. */
  entitlements(applicationId: string): readonly Entitlement[] {
    const { entitlements, me } = this.#world.tables;
    return [...entitlements.by('user', me.value)].filter(
      ({ application, deleted }) => application === applicationId && !deleted,
    );
  }

  /** Gives the logged-in user something that a person has agreed to buy. @throws SettingError when they own too much. */
  buy(applicationId: string, skuId: string): Entitlement {
    const { entitlements, me } = this.#world.tables;
    if (entitlements.size >= MOST_RECORDS) {
      throw new SettingError('', `there are ${MOST_RECORDS} entitlements already; take some back first`);
    }
    const bought: Entitlement = {
      id: this.#world.ids.next(this.#clock.now(), (id) => entitlements.has(id)),
      sku: skuId,
      application: applicationId,
      user: me.value,
      type: 1,
      deleted: false,
    };
    return this.#world.transaction((tables) => tables.entitlements.insert(bought));
  }

  /** Who takes part in an application's embedded activity: the logged-in user, and those the fixture names. */
  participants(applicationId: string): readonly User[] {
    const { participants, me, users } = this.#world.tables;
    const named = [...participants.by('application', applicationId)].map(({ user }) => user);
    return [...new Set([me.value, ...named])].flatMap((id) => users.get(id) ?? []);
  }
}
