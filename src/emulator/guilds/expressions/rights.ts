import { missingPermissions } from '../../api/api-error.ts';
import { grants } from '../../api/permissions/dated.ts';
import type { Permission } from '../../kernel/permission-bits.ts';
import type { RequestingMember } from '../guild-access.ts';

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
