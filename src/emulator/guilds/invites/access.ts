import { ApiError } from '../../api/api-error.ts';
import type { BotCaller } from '../../api/caller.ts';
import { missingPermissions } from '../../api/refusals.ts';
import type { Base } from '../../api/world.ts';
import { bitsOf, type Permission } from '../../kernel/permission-bits.ts';
import { asking } from '../asking.ts';
import { findInvite } from './invites.ts';
import { type ChannelInviteRecord, TARGET } from './records.ts';

/** 404 for a code that leads nowhere, or not for this caller. */
export function unknownInvite(): ApiError {
  return new ApiError('UnknownInvite');
}

/** An invite that can be managed, with its guild. @throws ApiError 10006 for none; those of lobbies belong to nobody. */
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
 * The same for a member who made it, or has one of these permissions in its guild.
 * @throws ApiError 10006 for none, 50001 for whoever is no member, 50013 for whoever lacks the permissions.
 */
export function inviteFor(
  platform: Base,
  code: string,
  caller: BotCaller,
  ...permissions: readonly Permission[]
): ChannelInviteRecord {
  const { invite, guildId } = managedInvite(platform, code);
  // Whoever made it and went has no part in it any more.
  const who = asking(caller, guildId, platform);
  if (invite.inviter !== caller.user.id) needAny(who, ...permissions);
  return invite;
}

/** @throws ApiError 50013 for whoever has none of these. */
export function needAny({ bits }: { readonly bits: bigint }, ...permissions: readonly Permission[]): void {
  if ((bits & bitsOf(...permissions)) === 0n) throw missingPermissions();
}
