import * as z from 'zod';
import { ApiError, missingPermissions } from '../../api/api-error.ts';
import type { BotCaller } from '../../api/caller.ts';
import { clearable, maybe, snowflake } from '../../api/fields.ts';
import { defineOperation, noContent, ok } from '../../api/operation.ts';
import type { Base } from '../../api/world.ts';
import { image } from '../../files/data-uri.ts';
import { accessTo, type ChannelAccess, channelInView } from '../../guilds/channels/channel-access.ts';
import { holdsWebhooks } from '../../guilds/channels/records.ts';
import { need, requestingMember } from '../../guilds/guild-access.ts';
import { webhookAnswer } from '../../guilds/webhooks/answers.ts';
import type { ChannelWebhook } from '../../guilds/webhooks/records.ts';
import { webhookShape } from '../../guilds/webhooks/shapes.ts';
import { checkRoom, newIncoming, noteWebhook, webhookName, webhookOf } from './webhooks.ts';

/** Maximum size of a request body (bytes), with room for a picture in a `data:` URL. */
const MAX_BODY_BYTES = 1024 * 1024;

/**
 * A channel whose webhooks the caller may manage. @throws ApiError 10003, 50001, 50013, or 50024 for a channel without
 * webhooks.
 */
export function managedChannel(
  platform: Base,
  channelId: string,
  caller: Pick<BotCaller, 'user'>,
): ChannelAccess {
  const access = channelInView(platform, channelId, caller);
  access.need('MANAGE_WEBHOOKS');
  if (!holdsWebhooks(access.channel)) throw new ApiError('CannotExecuteActionOnThisChannelType');
  return access;
}

/**
 * @throws ApiError 50013 for a caller who neither manages the webhook nor owns it; `owner` is whether owning is
 * enough.
 */
function checkManages(
  platform: Base,
  { channel, application }: ChannelWebhook,
  caller: BotCaller,
  owner: 'is enough' | 'is not',
): void {
  if (owner === 'is enough' && application === caller.application.id) return;
  if (channel === null) throw missingPermissions();
  channelInView(platform, channel, caller).need('MANAGE_WEBHOOKS');
}

/** Viewer of webhooks. */
function seenBy({ application }: BotCaller, base: string) {
  return { base, application: application.id };
}

/** The routes of webhooks for bots. */
export const channelWebhookOperations = [
  defineOperation({
    id: 'list_channel_webhooks',
    summary: 'The webhooks of a channel.',
    route: 'GET /channels/{channel_id}/webhooks',
    answers: { 200: z.array(webhookShape) },
    handle: ({ params, caller, base }, platform) => {
      const { channel } = managedChannel(platform, params.channel_id, caller);
      const { tables } = platform.world;
      const found = [...tables.channel_webhooks.by('channel', channel.id)];
      return ok(found.map((webhook) => webhookAnswer(tables, webhook, seenBy(caller, base))));
    },
  }),
  defineOperation({
    id: 'create_webhook',
    summary: 'Creates a webhook of the application in a channel.',
    route: 'POST /channels/{channel_id}/webhooks',
    body: z.object({ name: webhookName(), avatar: clearable(image()) }),
    maxBodyBytes: MAX_BODY_BYTES,
    answers: { 200: webhookShape },
    ours: 'Only channels with messages or posts have webhooks here: text, announcement, forum and media.',
    handle: ({ params, caller, body, base, reason }, platform) => {
      const { channel } = managedChannel(platform, params.channel_id, caller);
      checkRoom(platform, channel);
      const { world } = platform;
      return world.transaction((tables) => {
        const made = newIncoming(platform, tables, {
          channel: channel.id,
          name: body.name,
          avatar: body.avatar ?? null,
          application: caller.application.id,
          user: caller.user,
          reason,
        });
        return ok(webhookAnswer(world.tables, made, seenBy(caller, base)));
      });
    },
  }),
  defineOperation({
    id: 'get_guild_webhooks',
    summary: 'The webhooks of the channels of a guild.',
    ours: 'Omits channels where the caller may not manage webhooks. Only the application that owns a webhook gets its token.',
    route: 'GET /guilds/{guild_id}/webhooks',
    answers: { 200: z.array(webhookShape) },
    handle: ({ params, caller, base }, platform) => {
      const { guild } = need(requestingMember(caller, params.guild_id, platform), 'MANAGE_WEBHOOKS');
      const { tables } = platform.world;
      const found = [...tables.channels.by('guild', guild.id)].flatMap(({ id }) => {
        const webhooks = [...tables.channel_webhooks.by('channel', id)];
        const isManaged = webhooks.length > 0 && accessTo(platform, id, caller.user)?.may('MANAGE_WEBHOOKS');
        return isManaged === true ? webhooks : [];
      });
      return ok(found.map((webhook) => webhookAnswer(tables, webhook, seenBy(caller, base))));
    },
  }),
  defineOperation({
    id: 'get_webhook',
    summary: 'A webhook that the caller manages or owns.',
    route: 'GET /webhooks/{webhook_id}',
    answers: { 200: webhookShape },
    handle: ({ params, caller, base }, platform) => {
      const webhook = webhookOf(platform, params.webhook_id);
      checkManages(platform, webhook, caller, 'is enough');
      return ok(webhookAnswer(platform.world.tables, webhook, seenBy(caller, base)));
    },
  }),
  defineOperation({
    id: 'update_webhook',
    summary: 'Changes a webhook, or moves it to another channel of its guild.',
    route: 'PATCH /webhooks/{webhook_id}',
    body: z.object({
      name: maybe(webhookName()),
      avatar: clearable(image()),
      channel_id: maybe(snowflake()),
    }),
    maxBodyBytes: MAX_BODY_BYTES,
    answers: { 200: webhookShape },
    handle: ({ params, caller, body, base, reason }, platform) => {
      const before = webhookOf(platform, params.webhook_id);
      checkManages(platform, before, caller, 'is not');
      const { name = before.name, avatar = before.avatar, channel_id: channel = before.channel } = body;
      if (channel !== before.channel) checkMove(platform, before, channel ?? '', caller);
      const { world } = platform;
      return world.transaction((tables) => {
        const after = tables.channel_webhooks.update(before.id, { name, avatar, channel });
        noteWebhook(platform, tables, caller, { before, after, reason });
        return ok(webhookAnswer(world.tables, after, seenBy(caller, base)));
      });
    },
  }),
  defineOperation({
    id: 'delete_webhook',
    summary: 'Deletes a webhook; its messages stay.',
    route: 'DELETE /webhooks/{webhook_id}',
    answers: { 204: null },
    handle: ({ params, caller, reason }, platform) => {
      const before = webhookOf(platform, params.webhook_id);
      checkManages(platform, before, caller, 'is not');
      platform.world.transaction((tables) => {
        noteWebhook(platform, tables, caller, { before, reason });
        tables.channel_webhooks.remove(before.id);
      });
      return noContent();
    },
  }),
];

/**
 * Checks the new channel of a webhook. @throws ApiError for a channel that the caller does not manage, that belongs to
 * another guild or that has too many webhooks.
 */
function checkMove(platform: Base, before: ChannelWebhook, to: string, caller: BotCaller): void {
  const { channel } = managedChannel(platform, to, caller);
  const { channels } = platform.world.tables;
  if (channels.get(before.channel ?? '')?.guild !== channel.guild) {
    throw new ApiError('CannotExecuteActionOnThisChannelType');
  }
  checkRoom(platform, channel);
}
