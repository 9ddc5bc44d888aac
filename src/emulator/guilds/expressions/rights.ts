import { missingPermissions } from '../../api/api-error.ts';
import { grants } from '../../api/permissions/dated.ts';
import type { Permission } from '../../kernel/permission-bits.ts';
import type { RequestingMember } from '../guild-access.ts';
import type { Guild } from '../records.ts';

/** Whether a member has a permission at the time of the request. */
function may(who: RequestingMember, right: Permission): boolean {
  return grants(who.bits, right, who);
}

/** Requires the permission to create expressions. @throws ApiError 50013 for a member without it. */
export function needCreate(who: RequestingMember): RequestingMember {
  if (!may(who, 'CREATE_GUILD_EXPRESSIONS')) throw missingPermissions();
  return who;
}

/**
 * Checks that a member may change an expression. For the member's own expression, either of the two permissions
 * suffices. @throws ApiError 50013.
 */
export function needChange(who: RequestingMember, { user }: { readonly user: string | null }): void {
  const isOwn = user === who.member.user;
  if (may(who, 'MANAGE_GUILD_EXPRESSIONS') || (isOwn && may(who, 'CREATE_GUILD_EXPRESSIONS'))) return;
  throw missingPermissions();
}

/** Whether replies to a member include the creators of the guild's expressions. */
export function canSeeCreators(who: RequestingMember): boolean {
  return may(who, 'MANAGE_GUILD_EXPRESSIONS') || may(who, 'CREATE_GUILD_EXPRESSIONS');
}

/** Maximum number of expressions by boost level, and the higher number with a feature of the guild. */
const LIMITS = {
  emoji: { byTier: [50, 100, 150, 250], feature: 'MORE_EMOJI', withFeature: 200 },
  stickers: { byTier: [5, 15, 30, 60], feature: 'MORE_STICKERS', withFeature: 60 },
  sounds: { byTier: [8, 24, 36, 48], feature: 'MORE_SOUNDBOARD', withFeature: 96 },
} as const;

/** Maximum number of expressions of one kind in a guild. */
export function limitOf({ premium_tier, features }: Guild, kind: keyof typeof LIMITS): number {
  const { byTier, feature, withFeature } = LIMITS[kind];
  const tierLimit = byTier[premium_tier as 0 | 1 | 2 | 3];
  return features.includes(feature) ? Math.max(tierLimit, withFeature) : tierLimit;
}
