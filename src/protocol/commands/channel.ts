import * as z from 'zod';
import { defineCommand } from '../command.ts';
import { anyOf } from '../scope.ts';
import { snowflake } from '../shapes/common.ts';
import { channel, partialChannel } from '../shapes/guild.ts';

/** One channel with its messages (newest last) and voice states. Error 4005 when unknown or hidden from the user. */
export const GET_CHANNEL = defineCommand({
  scope: anyOf('rpc', 'guilds', 'guilds.channels.read'),
  args: () => z.object({ channel_id: snowflake() }),
  result: channel,
  trim: { list: 'messages', keep: 'last' },
});

/** The channels of a guild, or of all guilds, that the user can view. Error 4003 for an unknown guild. */
export const GET_CHANNELS = defineCommand({
  scope: anyOf('rpc'),
  args: () => z.object({ guild_id: snowflake().nullish() }),
  result: () => z.looseObject({ channels: z.array(partialChannel()) }),
  trim: { list: 'channels', keep: 'first' },
});
