import type * as z from 'zod';
import type { Reading } from '../../api/world.ts';
import { userAnswer } from '../../users/answers.ts';
import { type ChannelWebhook, WEBHOOK_TYPES } from './records.ts';
import type { webhookShape } from './shapes.ts';

/** A webhook of a channel. */
export type WebhookAnswer = z.output<typeof webhookShape>;

/**
 * A webhook, as an application sees it that manages the webhook. The token is included unless another application owns
 * the webhook. `base` is the address of the API.
 */
export function webhookAnswer(
  tables: Reading,
  webhook: ChannelWebhook,
  { base, application }: { readonly base: string; readonly application: string },
): WebhookAnswer {
  const user = tables.users.get(webhook.user ?? '');
  const isOfAnother = webhook.application !== null && webhook.application !== application;
  return {
    ...webhookAnswerByToken(tables, isOfAnother ? { ...webhook, token: null } : webhook, base),
    ...(user === undefined ? {} : { user: userAnswer(user) }),
  };
}

/** A webhook, as a caller sees it who has the webhook's token: without the creator. */
export function webhookAnswerByToken(tables: Reading, webhook: ChannelWebhook, base: string): WebhookAnswer {
  const { id, type, name, avatar, channel, application, token } = webhook;
  return {
    id,
    type,
    name,
    avatar,
    channel_id: channel,
    guild_id: tables.channels.get(channel ?? '')?.guild ?? null,
    application_id: application,
    ...(token === null ? {} : { token, url: `${base}/webhooks/${id}/${token}` }),
    ...(type === WEBHOOK_TYPES.follower ? sourceAnswer(tables, webhook) : {}),
  };
}

/** Source channel of a webhook; undefined after the channel was deleted. */
function sourceAnswer({ channels, guilds }: Reading, { source_channel }: ChannelWebhook) {
  const channel = channels.get(source_channel ?? '');
  const guild = guilds.get(channel?.guild ?? '');
  if (channel === undefined || guild === undefined) return {};
  return {
    source_guild: { id: guild.id, name: guild.name, icon: guild.icon },
    source_channel: { id: channel.id, name: channel.name },
  };
}
