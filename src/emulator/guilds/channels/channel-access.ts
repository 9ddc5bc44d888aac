import { ApiError } from '../../api/api-error.ts';
import type { BotCaller } from '../../api/caller.ts';
import { grants } from '../../api/permissions/dated.ts';
import { missingAccess, missingPermissions } from '../../api/refusals.ts';
import type { Base } from '../../api/world.ts';
import type { Permission } from '../../kernel/permission-bits.ts';
import { permissionsIn } from './access.ts';
import { isPrivate, type PrivateChannel } from './private-records.ts';
import { type ChannelRecord, hasText } from './records.ts';

/** A channel that messages may be in: of a guild, or of none. */
export type Place = ChannelRecord | PrivateChannel;

/** Whether messages can be written in it. */
export function takesMessages(place: Place): boolean {
  return isPrivate(place) || hasText(place);
}

/** A channel as far as a user may go in it. */
export interface ChannelAccess<Channel extends Place = ChannelRecord> {
  readonly channel: Channel;
  readonly may: (permission: Permission) => boolean;
  /** @throws ApiError 403 with code 50013 for whoever lacks one, 50003 where a private channel has no such right. */
  readonly need: (...permissions: readonly Permission[]) => void;
}

/** Somebody who asks. */
export interface Asker {
  readonly id: string;
  readonly bot: boolean;
}

/** A channel with the eyes of a user; undefined when it is not there or not in view. */
export function accessTo({ world, clock }: Base, channelId: string, asker: Asker): ChannelAccess | undefined {
  const channel = world.tables.channels.get(channelId);
  if (channel === undefined) return undefined;
  const now = clock.now();
  const permissions = permissionsIn(world.tables, channel, asker.id, now);
  const may = (permission: Permission): boolean => grants(permissions, permission, { now, isBot: asker.bot });
  if (!may('VIEW_CHANNEL')) return undefined;
  return {
    channel,
    may,
    need: (...needed) => {
      if (!needed.every(may)) throw missingPermissions();
    },
  };
}

/** A channel as somebody has it who may nothing there. */
export function noAccess<Channel extends Place>(channel: Channel): ChannelAccess<Channel> {
  const need = () => {
    throw missingPermissions();
  };
  return { channel, may: () => false, need };
}

/** What whoever is in a private channel may do there; nobody has more rights than another. */
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

/** The same of a channel of a guild or of none. */
export function accessToPlace(
  platform: Base,
  channelId: string,
  asker: Asker,
): ChannelAccess<Place> | undefined {
  const channel = platform.world.tables.private_channels.get(channelId);
  if (channel === undefined) return accessTo(platform, channelId, asker);
  if (!channel.recipients.includes(asker.id)) return undefined;
  const may = (permission: Permission): boolean => IN_PRIVATE.has(permission);
  return {
    channel,
    may,
    need: (...needed) => {
      if (!needed.every(may)) throw notInPrivate();
    },
  };
}

/** 400 with code 50024: channels of this type have no such thing. */
export function wrongChannel(): ApiError {
  return new ApiError('CannotExecuteActionOnThisChannelType');
}

/** 403: a private channel has no such thing. */
export function notInPrivate(): ApiError {
  return new ApiError('CannotExecuteActionOnDMChannel');
}

/** A channel that the caller has in view, private or not. @throws ApiError 404 with code 10003, 403 with code 50001. */
export function placeInView(
  platform: Base,
  channelId: string,
  { user }: Pick<BotCaller, 'user'>,
): ChannelAccess<Place> {
  const { channels, private_channels } = platform.world.tables;
  if (!channels.has(channelId) && !private_channels.has(channelId)) {
    throw new ApiError('UnknownChannel');
  }
  const access = accessToPlace(platform, channelId, user);
  if (access === undefined) throw missingAccess();
  return access;
}

/** A channel of a guild that the caller has in view. @throws ApiError as {@link placeInView}, 50003 for a private one. */
export function channelInView(
  platform: Base,
  channelId: string,
  caller: Pick<BotCaller, 'user'>,
): ChannelAccess {
  const { channel, ...rights } = placeInView(platform, channelId, caller);
  if (isPrivate(channel)) throw notInPrivate();
  return { channel, ...rights };
}
