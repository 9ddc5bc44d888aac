import { randomBytes } from 'node:crypto';
import { ApiError, full } from '../../api/api-error.ts';
import type { BotCaller } from '../../api/caller.ts';
import { fault, text } from '../../api/fields.ts';
import type { Base, Writing } from '../../api/world.ts';
import { AUDIT, auditChanges, noteInChannel } from '../../guilds/audit/audit.ts';
import type { ChannelRecord } from '../../guilds/channels/records.ts';
import { type ChannelWebhook, WEBHOOK_TYPES } from '../../guilds/webhooks/records.ts';
import { MAX_RECORDS } from '../../kernel/limits.ts';
import { isSameSecret } from '../../kernel/secrets.ts';
import type { User } from '../../users/records.ts';

const MAX_PER_CHANNEL = 15;
const MAX_PER_GUILD = 1000;

/** Forbidden parts of a webhook's name. */
const RESERVED = ['clyde', 'discord'] as const;

/** Name of a webhook. */
export const webhookName = () =>
  RESERVED.reduce(
    (name, word) =>
      name.refine(
        (value) => !value.toLowerCase().includes(word),
        fault('USERNAME_INVALID_CONTAINS', `Username cannot contain "${word}"`),
      ),
    text(1, 80),
  );

/** Channel webhook by its id. @throws ApiError 404 with code 10015 for an unknown id. */
export function webhookOf({ world }: Pick<Base, 'world'>, id: string): ChannelWebhook {
  const webhook = world.tables.channel_webhooks.get(id);
  if (webhook === undefined) throw new ApiError('UnknownWebhook');
  return webhook;
}

/** A webhook that writes into a channel and has a token. */
export type TokenWebhook = ChannelWebhook & { readonly channel: string };

/**
 * Channel webhook by its id and token. @throws ApiError 404 with code 10015; 401 with code 50027 for a wrong token, or
 * for a webhook without a token.
 */
export function webhookByToken(
  platform: Pick<Base, 'world'>,
  { webhook_id, webhook_token }: { readonly webhook_id: string; readonly webhook_token: string },
): TokenWebhook {
  const webhook = webhookOf(platform, webhook_id);
  const { token, channel } = webhook;
  if (token === null || channel === null || !isSameSecret(webhook_token, token)) {
    throw new ApiError('InvalidWebhookToken');
  }
  return { ...webhook, channel };
}

/**
 * Checks that another webhook may be created in a channel. @throws ApiError 30007 or 30058 at the maximum number of
 * webhooks.
 */
export function checkRoom({ world }: Base, channel: ChannelRecord): void {
  const { channel_webhooks, channels } = world.tables;
  if (channel_webhooks.by('channel', channel.id).size >= MAX_PER_CHANNEL) {
    throw new ApiError('MaximumNumberOfWebhooksReached', { limit: MAX_PER_CHANNEL });
  }
  const inGuild = [...channels.by('guild', channel.guild)].reduce(
    (sum, { id }) => sum + channel_webhooks.by('channel', id).size,
    0,
  );
  if (inGuild >= MAX_PER_GUILD) {
    throw new ApiError('MaximumNumberOfWebhooksPerGuildReached', { limit: MAX_PER_GUILD });
  }
  if (channel_webhooks.size >= MAX_RECORDS) throw full('channel_webhooks');
}

/** Token of a webhook: 68 random characters. */
function newToken(): string {
  return randomBytes(51).toString('base64url');
}

/** Creates an incoming webhook within the current transaction. The caller checks the limit of the channel first. */
export function newIncoming(
  platform: Base,
  tables: Writing,
  made: Pick<ChannelWebhook, 'name' | 'avatar' | 'application'> & {
    readonly channel: string;
    readonly user: User;
    readonly reason: string | undefined;
  },
): ChannelWebhook {
  const { world, clock } = platform;
  const { channel, name, avatar, application, user, reason } = made;
  const webhook = tables.channel_webhooks.insert({
    id: world.ids.next(clock.now(), (id) => tables.channel_webhooks.has(id)),
    type: WEBHOOK_TYPES.incoming,
    channel,
    name,
    avatar,
    token: newToken(),
    user: user.id,
    application,
    source_channel: null,
  });
  noteWebhook(platform, tables, { user }, { after: webhook, reason });
  return webhook;
}

/** A webhook as the audit log stores it, without its token. */
function noted(webhook: ChannelWebhook | undefined) {
  if (webhook === undefined) return undefined;
  const { type, name, avatar, channel, application } = webhook;
  return { type, name, avatar_hash: avatar, channel_id: channel, application_id: application };
}

interface WebhookChange {
  readonly before?: ChannelWebhook;
  readonly after?: ChannelWebhook;
  readonly reason: string | undefined;
}

/** Writes the creation, change or removal of a webhook to the audit log, within the current transaction. */
export function noteWebhook(
  platform: Base,
  tables: Writing,
  caller: Pick<BotCaller, 'user'> | undefined,
  { before, after, reason }: WebhookChange,
): void {
  const webhook = after ?? before;
  const channel = tables.channels.get(webhook?.channel ?? '');
  if (webhook === undefined || channel === undefined) return;
  const changed = after === undefined ? AUDIT.WEBHOOK_DELETE : AUDIT.WEBHOOK_UPDATE;
  const action = before === undefined ? AUDIT.WEBHOOK_CREATE : changed;
  const changes = auditChanges(noted(before), noted(after));
  noteInChannel(platform, tables, caller, channel, { action, target: webhook.id, reason, changes });
}
