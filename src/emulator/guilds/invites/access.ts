import { ApiError } from '../../api/api-error.ts';
import type { BotCaller } from '../../api/caller.ts';
import type { Base } from '../../api/world.ts';
import { bitsOf, type Permission } from '../../kernel/permission-bits.ts';
import { requestingMember } from '../guild-access.ts';
import { findInvite } from './invites.ts';
import { type ChannelInviteRecord, TARGET } from './records.ts';

/**
 * An invite that can be managed, with its guild. @throws ApiError 10006 for an unknown invite, and for an invite of a
 * lobby, which cannot be managed.
 */
export function managedInvite(
  { world, clock }: Base,
  code: string,
): { readonly invite: ChannelInviteRecord; readonly guildId: string } {
  const invite = findInvite(world.tables, code, clock.now());
  const guildId = world.tables.channels.get(invite?.channel ?? '')?.guild;
  if (invite === undefined || guildId === undefined || invite.target_type === TARGET.LOBBY) {
    throw new ApiError('UnknownInvite');
  }
  return { invite, guildId };
}

/**
 * An invite that the caller created, or may manage with one of the given permissions in its guild. @throws ApiError
 * 10006 for an unknown invite, 50001 for a caller who is not a member, 50013 for missing permissions.
 */
export function inviteFor(
  platform: Base,
  code: string,
  caller: BotCaller,
  ...permissions: readonly Permission[]
): ChannelInviteRecord {
  const { invite, guildId } = managedInvite(platform, code);
  // Checked even for the invite's creator: a creator who has left the guild may no longer manage the invite.
  const who = requestingMember(caller, guildId, platform);
  if (invite.inviter !== caller.user.id) needAny(who, ...permissions);
  return invite;
}

/** Checks that the caller has one of these permissions. @throws ApiError 50013. */
export function needAny({ bits }: { readonly bits: bigint }, ...permissions: readonly Permission[]): void {
  if ((bits & bitsOf(...permissions)) === 0n) throw new ApiError('MissingPermissions');
}
