import type { Reading, StateRule } from '../../api/world.ts';
import { providerTypeOf } from '../records.ts';
import { NONE } from './records.ts';

/** A game's identity of a user. */
export interface ApplicationIdentity {
  readonly provider: string;
  readonly external_user_id: string;
  readonly user: string;
}

/**
 * The identities of a user in an application: identities that link accounts, and identities that only a profile
 * creates.
 */
export function identitiesOf(
  { external_identities, identity_profiles }: Reading,
  application: string,
  user: string,
): ApplicationIdentity[] {
  const ours = (one: { readonly application: string }): boolean => one.application === application;
  return [
    ...[...external_identities.by('user', user)].filter(ours),
    ...[...identity_profiles.by('user', user)].filter((one) => ours(one) && one.provider === NONE),
  ].map(({ provider, external_user_id }) => ({ provider, external_user_id, user }));
}

/** The identity of a user that has the provider's user id; `id` distinguishes providers of one type. */
export function findIdentity(
  { external_identities, identity_profiles }: Reading,
  application: string,
  query: { readonly type: string; readonly id?: string | undefined; readonly externalUserId: string },
): ApplicationIdentity | undefined {
  const candidates: Iterable<ApplicationIdentity & { readonly application: string }> =
    query.type === NONE
      ? [...identity_profiles.by('external_user_id', query.externalUserId)].filter(
          (one) => one.provider === NONE,
        )
      : external_identities.by('external_user_id', query.externalUserId);
  for (const one of candidates) {
    const { type, id } = kindOf(one.provider);
    const isIt = type === query.type && (query.id === undefined || id === query.id);
    if (one.application === application && isIt) return one;
  }
  return undefined;
}

/** Type and id of a provider, in the platform's format. */
export function kindOf(provider: string): { readonly type: string; readonly id: string | null } {
  return provider === NONE ? { type: NONE, id: null } : providerTypeOf(provider);
}

/** State rule that moves or removes a profile together with its identity. */
export const keepProfilesWithIdentities: StateRule = ({ identity_profiles }, commit) => {
  const { removed, updated } = commit.of('external_identities');
  const moved = updated.filter(({ before, after }) => before.user !== after.user);
  const removals = removed.map((before) => ({ before, after: undefined }));
  for (const { before, after } of [...moved, ...removals]) {
    const { application, user, provider, external_user_id } = before;
    const profile = identity_profiles.get(application, user, provider, external_user_id);
    if (profile === undefined) continue;
    identity_profiles.remove(identity_profiles.keyOf(profile));
    if (after !== undefined) identity_profiles.put({ ...profile, user: after.user });
  }
};
