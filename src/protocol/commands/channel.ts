import * as z from 'zod';
import { defineCommand } from '../command.ts';
import { anyOf, LOCAL_SCOPE } from '../scope.ts';
import { noArgs, nothing, snowflake } from '../shapes/common.ts';
import { channel, partialChannel } from '../shapes/guild.ts';

/**
 * One channel with its messages (newest last) and voice states. Error 4005 for a channel that is unknown or hidden from
 * the user.
 */
export const GET_CHANNEL = defineCommand({
  scope: anyOf('rpc', 'guilds', 'guilds.channels.read'),
  about: ['channels', 'voice channels'],
  errors: [4005],
  args: () => z.object({ channel_id: snowflake() }),
  result: channel,
});

/** The channels that the user can view, in one guild or in all guilds. Error 4003 for an unknown guild. */
export const GET_CHANNELS = defineCommand({
  scope: anyOf('rpc'),
  about: ['channels'],
  errors: [4003],
  args: () => z.object({ guild_id: z.nullish(snowflake()) }),
  result: () => z.looseObject({ channels: z.array(partialChannel()) }),
});

/**
 * The user's permissions in the connected voice channel, as a decimal bit field. Error 4005 when the user is in no
 * voice channel.
 */
export const GET_CHANNEL_PERMISSIONS = defineCommand({
  scope: anyOf('guilds.members.read', 'guilds.channels.read'),
  about: ['permissions'],
  errors: [4005],
  args: noArgs,
  result: () => z.looseObject({ permissions: z.string() }),
});

/** Creates an invite to a channel; ages in seconds. Errors 4005, 4006. */
export const CREATE_CHANNEL_INVITE = defineCommand({
  scope: anyOf('rpc'),
  about: ['channel invites'],
  errors: [4005, 4006],
  args: () => z.object({ channel_id: snowflake() }),
  result: () =>
    z.looseObject({
      code: z.string(),
      guild_id: z.string(),
      created_at: z.string(),
      max_age: z.int(),
      max_uses: z.int(),
      temporary: z.boolean(),
      uses: z.int(),
    }),
});

/** Opens a text channel in the client; `null` leaves the current one. Errors 4005, 5001. `timeout` is in seconds. */
export const SELECT_TEXT_CHANNEL = defineCommand({
  scope: anyOf('rpc'),
  about: ['channels selected', 'channels'],
  errors: [4005, 5001],
  args: () =>
    z.object({
      channel_id: z.nullable(snowflake()),
      timeout: z.optional(z.number().check(z.gte(0), z.lte(60))),
    }),
  result: () => z.nullable(channel()),
});

/** Opens one message in the client. */
export const OPEN_MESSAGE = defineCommand({
  scope: anyOf(LOCAL_SCOPE),
  args: () =>
    z.object({
      guild_id: z.nullish(snowflake()),
      channel_id: snowflake(),
      message_id: snowflake(),
      pid: z.int().check(z.gte(0)),
    }),
  result: nothing,
  recorded: {
    what: 'show a message',
    accepted: () => null,
    declined: { code: 1000, message: 'The message was not opened' },
  },
});
