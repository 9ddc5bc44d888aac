import { grants } from '../../api/permissions/dated.ts';
import { missingPermissions } from '../../api/refusals.ts';
import type { Permission } from '../../kernel/permission-bits.ts';
import type { RequestingMember } from '../guild-access.ts';

/** Whether a member has a permission at that time. */
function may(who: RequestingMember, right: Permission): boolean {
  return grants(who.bits, right, who);
}

/** Requires the permission to create expressions. @throws ApiError 50013 for a member without it. */
export function needCreate(who: RequestingMember): RequestingMember {
  if (!may(who, 'CREATE_GUILD_EXPRESSIONS')) throw missingPermissions();
  return who;
}

/** @throws ApiError 50013 for a member who may not change an expression: for their own one, either permission is enough. */
export function needChange(who: RequestingMember, { user }: { readonly user: string | null }): void {
  const isOwn = user === who.member.user;
  if (may(who, 'MANAGE_GUILD_EXPRESSIONS') || (isOwn && may(who, 'CREATE_GUILD_EXPRESSIONS'))) return;
  throw missingPermissions();
}

/** Whether a member receives the creators of a guild's expressions. */
export function canSeeCreators(who: RequestingMember): boolean {
  return may(who, 'MANAGE_GUILD_EXPRESSIONS') || may(who, 'CREATE_GUILD_EXPRESSIONS');
}
