import { ApiError } from '../../api/api-error.ts';
import type { BotCaller } from '../../api/caller.ts';
import { missingPermissions } from '../../api/refusals.ts';
import type { Base } from '../../api/world.ts';
import { bitsOf, type Permission } from '../../kernel/permission-bits.ts';
import { requestingMember } from '../guild-access.ts';
import { findInvite } from './invites.ts';
import { type ChannelInviteRecord, TARGET } from './records.ts';

/** 404 for a code that is unknown, or not available to this caller. */
export function unknownInvite(): ApiError {
  return new ApiError('UnknownInvite');
}

/**
 * An invite that can be managed, with its guild. @throws ApiError 10006 for an unknown one, and for one of a lobby,
 * which cannot be managed.
 */
export function managedInvite(
  { world, clock }: Base,
  code: string,
): { readonly invite: ChannelInviteRecord; readonly guildId: string } {
  const invite = findInvite(world.tables, code, clock.now());
  const guildId = world.tables.channels.get(invite?.channel ?? '')?.guild;
  if (invite === undefined || guildId === undefined || invite.target_type === TARGET.LOBBY) {
    throw unknownInvite();
  }
  return { invite, guildId };
}

/**
 * An invite that a member created, or may manage with one of these permissions in its guild. @throws ApiError 10006
 * for an unknown one, 50001 for a caller who is no member, 50013 for missing permissions.
 */
export function inviteFor(
  platform: Base,
  code: string,
  caller: BotCaller,
  ...permissions: readonly Permission[]
): ChannelInviteRecord {
  const { invite, guildId } = managedInvite(platform, code);
  // A creator who has left the guild may no longer manage it.
  const who = requestingMember(caller, guildId, platform);
  if (invite.inviter !== caller.user.id) needAny(who, ...permissions);
  return invite;
}

/** @throws ApiError 50013 for a caller with none of these permissions. */
export function needAny({ bits }: { readonly bits: bigint }, ...permissions: readonly Permission[]): void {
  if ((bits & bitsOf(...permissions)) === 0n) throw missingPermissions();
}
