import { ApiError } from '../../api/api-error.ts';
import type { BotCaller } from '../../api/caller.ts';
import { grants } from '../../api/permissions/dated.ts';
import type { Base } from '../../api/world.ts';
import type { Permission } from '../../kernel/permission-bits.ts';
import { permissionsIn } from './access.ts';
import { isPrivate, type PrivateChannel } from './private-records.ts';
import { type ChannelRecord, hasText } from './records.ts';

/** A channel that can contain messages: of a guild, or private. */
export type AnyChannel = ChannelRecord | PrivateChannel;

/** Whether a channel can contain messages. */
export function takesMessages(channel: AnyChannel): boolean {
  return isPrivate(channel) || hasText(channel);
}

/** A channel with the permissions of one user. */
export interface ChannelAccess<Channel extends AnyChannel = ChannelRecord> {
  readonly channel: Channel;
  readonly may: (permission: Permission) => boolean;
  /**
   * @throws ApiError 403 with code 50013 for a missing permission, 50003 where a private channel has no such
   * permission.
   */
  readonly need: (...permissions: readonly Permission[]) => void;
}

/** The requesting user. */
export interface ChannelViewer {
  readonly id: string;
  readonly bot: boolean;
}

/** A channel with the permissions of a user; undefined for a channel that is unknown or not visible to the user. */
export function accessTo(
  { world, clock }: Base,
  channelId: string,
  viewer: ChannelViewer,
): ChannelAccess | undefined {
  const channel = world.tables.channels.get(channelId);
  if (channel === undefined) return undefined;
  const now = clock.now();
  const permissions = permissionsIn(world.tables, channel, viewer.id, now);
  const may = (permission: Permission): boolean =>
    grants(permissions, permission, { now, isBot: viewer.bot });
  if (!may('VIEW_CHANNEL')) return undefined;
  return {
    channel,
    may,
    need: (...needed) => {
      if (!needed.every(may)) throw new ApiError('MissingPermissions');
    },
  };
}

/** A channel without any permissions. */
export function noAccess<Channel extends AnyChannel>(channel: Channel): ChannelAccess<Channel> {
  const need = () => {
    throw new ApiError('MissingPermissions');
  };
  return { channel, may: () => false, need };
}

/** Permissions in a private channel, the same for all its members. */
const IN_PRIVATE: ReadonlySet<Permission> = new Set([
  'VIEW_CHANNEL',
  'READ_MESSAGE_HISTORY',
  'SEND_MESSAGES',
  'SEND_TTS_MESSAGES',
  'SEND_POLLS',
  'SEND_VOICE_MESSAGES',
  'EMBED_LINKS',
  'ATTACH_FILES',
  'ADD_REACTIONS',
  'USE_EXTERNAL_EMOJIS',
  'USE_EXTERNAL_STICKERS',
  'MENTION_EVERYONE',
  'PIN_MESSAGES',
] as const);

/** Access to a channel of a guild, or to a private one. */
export function accessToAnyChannel(
  platform: Base,
  channelId: string,
  viewer: ChannelViewer,
): ChannelAccess<AnyChannel> | undefined {
  const channel = platform.world.tables.private_channels.get(channelId);
  if (channel === undefined) return accessTo(platform, channelId, viewer);
  if (!channel.recipients.includes(viewer.id)) return undefined;
  const may = (permission: Permission): boolean => IN_PRIVATE.has(permission);
  return {
    channel,
    may,
    need: (...needed) => {
      if (!needed.every(may)) throw new ApiError('CannotExecuteActionOnDMChannel');
    },
  };
}

/** A channel, private or not, that the caller may view. @throws ApiError 404 with code 10003, 403 with code 50001. */
export function anyChannelInView(
  platform: Base,
  channelId: string,
  { user }: Pick<BotCaller, 'user'>,
): ChannelAccess<AnyChannel> {
  const { channels, private_channels } = platform.world.tables;
  if (!channels.has(channelId) && !private_channels.has(channelId)) throw new ApiError('UnknownChannel');
  const access = accessToAnyChannel(platform, channelId, user);
  if (access === undefined) throw new ApiError('MissingAccess');
  return access;
}

/**
 * A guild channel that the caller may view. @throws ApiError as {@link anyChannelInView} does, and 50003 for a private
 * channel.
 */
export function channelInView(
  platform: Base,
  channelId: string,
  caller: Pick<BotCaller, 'user'>,
): ChannelAccess {
  const { channel, ...rights } = anyChannelInView(platform, channelId, caller);
  if (isPrivate(channel)) throw new ApiError('CannotExecuteActionOnDMChannel');
  return { channel, ...rights };
}
