import type * as z from 'zod';
import { ApiError } from '../../api/api-error.ts';
import type { BotCaller } from '../../api/caller.ts';
import type { Base, Writing } from '../../api/world.ts';
import { bitsOf } from '../../kernel/permission-bits.ts';
import { need, requestingMember } from '../guild-access.ts';
import { permissionsIn } from './access.ts';
import { changedChannel } from './changes.ts';
import { channelInView } from './channel-access.ts';
import { checkOverwrites, copyOverwrites, overwritesOf } from './overwrites.ts';
import { isCategory, isThread } from './records.ts';
import type { positionsBody } from './requests.ts';

const MANAGE_CHANNELS = bitsOf('MANAGE_CHANNELS');

/**
 * Checks that the caller may move a channel into a category, or to the top level of a guild, which requires
 * MANAGE_CHANNELS at that place. For an unknown category it does nothing, because the validation of the field reports
 * that error. @throws ApiError 50013.
 */
export function checkMayMoveInto(
  platform: Base,
  caller: BotCaller,
  guildId: string,
  parentId: string | null | undefined,
): void {
  const { tables } = platform.world;
  const who = requestingMember(caller, guildId, platform);
  const parent = tables.channels.get(parentId ?? '');
  if (parent === undefined || parent.guild !== guildId || !isCategory(parent)) {
    need(who, 'MANAGE_CHANNELS');
    return;
  }
  const bits = permissionsIn(tables, parent, caller.user.id, who.now);
  if ((bits & MANAGE_CHANNELS) === 0n) throw new ApiError('MissingPermissions');
}

/**
 * Moves channels of a guild, in this transaction, for a caller who has MANAGE_CHANNELS in the guild. The caller may
 * also reorder channels that they cannot view. Moving a channel into another category requires MANAGE_CHANNELS in that
 * channel, and is possible for one channel at a time. @throws ApiError 40009, 10003, 50001, 50013, 50024 for a thread,
 * 50035.
 */
export function moveChannels(
  platform: Base,
  tables: Writing,
  caller: BotCaller,
  guildId: string,
  moves: z.output<typeof positionsBody>,
): void {
  const { world, clock } = platform;
  if (moves.filter(({ parent_id }) => parent_id !== undefined).length > 1) {
    throw new ApiError('OnlyOneChannelCanHaveAParentIdModifiedAtATime');
  }
  // The channel list of a guild contains no threads, so a thread has no position in it.
  const isThreadHere = ({ id }: { readonly id: string }): boolean => {
    const channel = tables.channels.get(id);
    return channel?.guild === guildId && isThread(channel);
  };
  if (moves.some(isThreadHere)) throw new ApiError('CannotExecuteActionOnThisChannelType');
  for (const { id, position, parent_id, lock_permissions } of moves) {
    const channel = world.tables.channels.get(id);
    if (channel === undefined) throw new ApiError('UnknownChannel');
    const isElsewhere = channel.guild !== guildId;
    if (parent_id !== undefined || lock_permissions === true || isElsewhere) {
      channelInView(platform, id, caller).need('MANAGE_CHANNELS');
      if (isElsewhere) throw new ApiError('MissingPermissions');
    }
    if (parent_id !== undefined && parent_id !== channel.parent) {
      checkMayMoveInto(platform, caller, guildId, parent_id);
    }
    const moved = changedChannel(world, channel, { position, parent_id } as never, clock.now());
    tables.channels.put(moved);
    if (lock_permissions !== true || moved.parent === null) continue;
    channelInView(platform, id, caller).need('MANAGE_ROLES');
    checkOverwrites(platform, caller, moved, overwritesOf(tables, moved.parent));
    copyOverwrites(tables, moved.parent, moved);
  }
}
