import type { Committed, World, Writing } from '../../api/world.ts';
import { SettingError } from '../../kernel/errors.ts';
import { MAX_RECORDS } from '../../kernel/limits.ts';
import type { Entitlement } from './records.ts';

/** A change of an entitlement. */
export type EntitlementChange =
  | { readonly type: 'entitlement-created'; readonly entitlement: Entitlement }
  | {
      readonly type: 'entitlement-updated';
      readonly before: Entitlement;
      readonly entitlement: Entitlement;
    }
  | { readonly type: 'entitlement-removed'; readonly entitlement: Entitlement };

/** The changed entitlements of a commit. A revoked entitlement may stay in the table with the mark `deleted`. */
export function entitlementChanges(commit: Committed): EntitlementChange[] {
  const { created, updated, removed } = commit.of('entitlements');
  const came = (entitlement: Entitlement) => ({ type: 'entitlement-created', entitlement }) as const;
  const went = (revoked: Entitlement) =>
    ({ type: 'entitlement-removed', entitlement: { ...revoked, deleted: true } }) as const;
  const alive = ({ deleted }: Entitlement): boolean => !deleted;
  return [
    ...created.filter(alive).map(came),
    ...updated.flatMap(({ before, after }): EntitlementChange[] => {
      if (before.deleted) return after.deleted ? [] : [came(after)];
      return [after.deleted ? went(after) : { type: 'entitlement-updated', before, entitlement: after }];
    }),
    ...removed.filter(alive).map(went),
  ];
}

/** Whether a user owns an entitlement directly, and not on behalf of a guild. */
export function isOwnedBy({ user, guild, deleted }: Entitlement, userId: string): boolean {
  return user === userId && guild === null && !deleted;
}

/** Whether an entitlement has ended; `now` in milliseconds. */
export function isEnded({ ends_at: end }: Entitlement, now: number): boolean {
  return end !== null && Date.parse(end) <= now;
}

/**
 * Creates an entitlement; default: a permanent purchase by a user. `now` is in milliseconds.
 * @throws SettingError when the table is full.
 */
export function giveEntitlement(
  { ids }: World,
  { entitlements }: Writing,
  now: number,
  fields: Pick<Entitlement, 'sku' | 'application' | 'user'> & Partial<Entitlement>,
): Entitlement {
  if (entitlements.size >= MAX_RECORDS) {
    throw new SettingError('', `there are ${MAX_RECORDS} entitlements already; take some back first`);
  }
  return entitlements.insert({
    id: ids.next(now, (id) => entitlements.has(id)),
    guild: null,
    type: 1,
    deleted: false,
    test: false,
    consumed: false,
    starts_at: null,
    ends_at: null,
    ...fields,
  });
}
