import * as z from 'zod';
import { ApiError } from '../../api/api-error.ts';
import { snowflake } from '../../api/fields.ts';
import { defineOperation, ok } from '../../api/operation.ts';
import { channelInView } from '../../guilds/channels/channel-access.ts';
import { hasText } from '../../guilds/channels/records.ts';
import { WEBHOOK_TYPES } from '../../guilds/webhooks/records.ts';
import { ownText } from '../../kernel/own-text.ts';
import { MESSAGE_TYPES } from '../../messages/records.ts';
import { writeNotice } from '../../messages/write.ts';
import { managedChannel } from './routes.ts';
import { checkRoom, noteWebhook } from './webhooks.ts';

const ANNOUNCEMENT = 5;
const MAX_NAME_CHARS = 80;

/** The route that follows announcement channels. */
export const followOperations = [
  defineOperation({
    id: 'follow_channel',
    summary: 'Copies messages published in an announcement channel to another channel, by a webhook.',
    route: 'POST /channels/{channel_id}/followers',
    body: z.object({ webhook_channel_id: snowflake() }),
    answers: { 200: z.object({ channel_id: z.string(), webhook_id: z.string() }) },
    ours: 'The webhook is named "guild #channel" and has the icon of the guild. Its messages mention nobody.',
    handle: ({ params, caller, body, reason }, platform) => {
      const { channel: source } = channelInView(platform, params.channel_id, caller);
      if (source.type !== ANNOUNCEMENT) throw new ApiError('CannotExecuteActionOnThisChannelType');
      const { channel } = managedChannel(platform, body.webhook_channel_id, caller);
      if (!hasText(channel)) throw new ApiError('CannotExecuteActionOnThisChannelType');
      checkRoom(platform, channel);
      const { world, clock } = platform;
      const guild = world.tables.guilds.get(source.guild);
      const name = ownText(`${guild?.name} #${source.name}`.slice(0, MAX_NAME_CHARS));
      const now = clock.now();
      return world.transaction((tables) => {
        const webhook = tables.channel_webhooks.insert({
          id: world.ids.next(now, (id) => tables.channel_webhooks.has(id)),
          type: WEBHOOK_TYPES.follower,
          channel: channel.id,
          name,
          avatar: guild?.icon ?? null,
          token: null,
          user: caller.user.id,
          application: null,
          source_channel: source.id,
        });
        noteWebhook(platform, tables, caller, { after: webhook, reason });
        writeNotice(world, tables, now, {
          channel: channel.id,
          author: caller.user.id,
          content: name,
          type: MESSAGE_TYPES.followAdded,
          about: { kind: 'follow', channel: source.id },
        });
        return ok({ channel_id: source.id, webhook_id: webhook.id });
      });
    },
  }),
];
