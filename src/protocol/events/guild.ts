import * as z from 'zod';
import { defineEvent } from '../event.ts';
import { allOf, anyOf } from '../scope.ts';
import { noArgs, snowflake } from '../shapes/common.ts';
import { partialChannel, partialGuild } from '../shapes/guild.ts';
import { message } from '../shapes/message.ts';
import { guildMember } from '../shapes/relationship.ts';

const ofGuild = () => z.object({ guild_id: snowflake() });
const ofChannel = () => z.object({ channel_id: snowflake() });

/** Name or icon of a guild; `online` is always 0 (deprecated in 2018). Error 4003 for an unknown guild. */
export const GUILD_STATUS = defineEvent({
  kind: 'state',
  scope: anyOf('rpc'),
  about: ['guilds'],
  args: ofGuild,
  data: () => z.looseObject({ guild: partialGuild(), online: z.literal(0) }),
});

/** The user joined or created a guild. */
export const GUILD_CREATE = defineEvent({
  scope: anyOf('rpc'),
  about: ['guilds'],
  args: noArgs,
  data: () => z.looseObject({ id: z.string(), name: z.string() }),
});

/** A channel was created, or became visible. */
export const CHANNEL_CREATE = defineEvent({
  scope: anyOf('rpc'),
  about: ['channels'],
  args: noArgs,
  data: partialChannel,
});

/** The user's own membership of a guild changed. Error 4003 for an unknown guild. */
export const CURRENT_GUILD_MEMBER_UPDATE = defineEvent({
  kind: 'state',
  scope: allOf('identify', 'guilds.members.read'),
  about: ['member profile'],
  args: ofGuild,
  data: guildMember,
});

const channelMessage = () => z.looseObject({ channel_id: z.string(), message: message() });
const mayReadMessages = allOf('rpc', 'messages.read');

/** A message was written. Error 4005 for a channel the user cannot read. */
export const MESSAGE_CREATE = defineEvent({
  scope: mayReadMessages,
  about: ['messages'],
  args: ofChannel,
  data: channelMessage,
});

/** A message was edited. */
export const MESSAGE_UPDATE = defineEvent({
  scope: mayReadMessages,
  about: ['messages'],
  args: ofChannel,
  data: channelMessage,
});

/** A message was deleted. */
export const MESSAGE_DELETE = defineEvent({
  scope: mayReadMessages,
  about: ['messages'],
  args: ofChannel,
  data: () => z.looseObject({ channel_id: z.string(), message: z.looseObject({ id: z.string() }) }),
});

/** The client notifies the user of a message. */
export const NOTIFICATION_CREATE = defineEvent({
  scope: allOf('rpc', 'rpc.notifications.read'),
  about: ['notifications'],
  args: noArgs,
  data: () =>
    z.looseObject({
      channel_id: z.string(),
      message: message(),
      icon_url: z.nullable(z.string()),
      title: z.string(),
      body: z.string(),
    }),
});
