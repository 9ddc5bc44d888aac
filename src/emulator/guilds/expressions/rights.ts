import { grants } from '../../api/permissions/dated.ts';
import { missingPermissions } from '../../api/refusals.ts';
import type { Permission } from '../../kernel/permission-bits.ts';
import type { Asking } from '../asking.ts';

/** Whether a member may do what a right stands for, at that time. */
function may(who: Asking, right: Permission): boolean {
  return grants(who.bits, right, who);
}

/** The same member, who may make expressions of a guild. @throws ApiError 50013 for one who may not. */
export function needCreate(who: Asking): Asking {
  if (!may(who, 'CREATE_GUILD_EXPRESSIONS')) throw missingPermissions();
  return who;
}

/** @throws ApiError 50013 for whoever may not change an expression: one's own needs either right. */
export function needChange(who: Asking, { user }: { readonly user: string | null }): void {
  const isOwn = user === who.member.user;
  if (may(who, 'MANAGE_GUILD_EXPRESSIONS') || (isOwn && may(who, 'CREATE_GUILD_EXPRESSIONS'))) return;
  throw missingPermissions();
}

/** Whether a member is told who made the expressions of a guild. */
export function seesMakers(who: Asking): boolean {
  return may(who, 'MANAGE_GUILD_EXPRESSIONS') || may(who, 'CREATE_GUILD_EXPRESSIONS');
}
