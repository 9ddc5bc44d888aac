import type * as z from 'zod';
import { parseUrl } from '../../../base/url.ts';
import { ApiError, invalidField } from '../../api/api-error.ts';
import { fault, list, maybe, snowflake, text, textUpTo } from '../../api/fields.ts';
import { pictureHash } from '../../api/picture.ts';
import type { Base } from '../../api/world.ts';
import type { HasAutoMod } from '../../guilds/automod/automod.ts';
import type { ChannelAccess } from '../../guilds/channels/channel-access.ts';
import { checkTagsOfPost } from '../../guilds/channels/forum-rules.ts';
import { type ChannelRecord, hasText, isThread } from '../../guilds/channels/records.ts';
import { areInteractive } from '../../messages/component-tree.ts';
import { createMessage } from '../../messages/create.ts';
import type { Message } from '../../messages/records.ts';
import { createBody } from '../../messages/requests.ts';
import { newThread, openThread, POST } from '../../messages/thread-routes.ts';
import { messageIds, type NewFile } from '../../messages/write.ts';
import type { WebhookWriter } from '../../messages/writer.ts';
import { type TokenWebhook, webhookName } from './webhooks.ts';

/** Services that these functions need. */
type Needs = Base & HasAutoMod;

/** An http or https URL. */
export const webAddress = () =>
  textUpTo(2048).refine(
    (value) => /^https?:$/.test(parseUrl(value)?.protocol ?? ''),
    fault('URL_TYPE_INVALID_URL', 'Not a well formed URL.'),
  );

/** Body of a webhook message. */
export const executeBody = createBody
  .omit({ nonce: true, enforce_nonce: true, message_reference: true, sticker_ids: true })
  .extend({
    username: maybe(webhookName()),
    avatar_url: maybe(webAddress()),
    thread_name: maybe(text(1, 100)),
    applied_tags: maybe(list(snowflake(), 0, 5)),
  });

/** Body of a webhook message. */
export type ExecuteRequest = Partial<z.output<typeof executeBody>>;

type Components = NonNullable<ExecuteRequest['components']>;

/** Query options of a webhook message. */
export interface ExecuteOptions {
  readonly threadId?: string | undefined;
  /** Whether a webhook without an application may send components. */
  readonly withComponents?: boolean | undefined;
}

/** Access of a webhook to a channel. The webhook needs no permission, because the owner of its token is responsible. */
export function accessOf(channel: ChannelRecord): ChannelAccess {
  return { channel, may: () => true, need: () => undefined };
}

/** A webhook as the author of a message, with the name and the avatar that the request sets for this message. */
export function writerOf(
  { id, name, avatar, application }: TokenWebhook,
  { username, avatar_url }: Pick<ExecuteRequest, 'username' | 'avatar_url'> = {},
): WebhookWriter {
  return {
    webhook: {
      id,
      name: username ?? name,
      avatar: avatar_url === undefined ? avatar : pictureHash(avatar_url),
    },
    application: application === null ? undefined : { id: application },
  };
}

/**
 * The webhook's channel, or the thread of it with this id.
 * @throws ApiError 10003 for a thread of another channel.
 */
export function targetChannelOf(
  { world }: Pick<Base, 'world'>,
  webhook: TokenWebhook,
  threadId: string | undefined,
): ChannelRecord {
  const { channels } = world.tables;
  const channel = channels.get(threadId ?? webhook.channel);
  if (channel === undefined || (threadId !== undefined && channel.parent !== webhook.channel)) {
    throw new ApiError('UnknownChannel');
  }
  return channel;
}

/**
 * The body, with components only where an application owns the webhook or the query allows them.
 * @throws ApiError 50035 for interactive components without an application.
 */
export function withComponents<Sent extends { readonly components?: Components | null | undefined }>(
  { application }: TokenWebhook,
  body: Sent,
  areAllowed: boolean | undefined,
): Sent {
  if (application !== null || !body.components?.length) return body;
  if (areAllowed !== true) return { ...body, components: undefined };
  if (!areInteractive(body.components)) return body;
  const message = 'A webhook that no application owns cannot send interactive components';
  throw invalidField(['components'], 'COMPONENT_INTERACTIVE_NOT_ALLOWED', message);
}

/** Writes a message as a webhook. Changes nothing on errors. @throws ApiError */
export function executeWebhook(
  platform: Needs,
  webhook: TokenWebhook,
  request: ExecuteRequest,
  options: ExecuteOptions,
  files: readonly NewFile[] = [],
): Message {
  const { world, clock } = platform;
  const body = withComponents(webhook, request, options.withComponents);
  const writer = writerOf(webhook, body);
  const { thread_name: name, applied_tags: tags } = body;
  const { threadId } = options;
  checkThread(targetChannelOf(platform, webhook, undefined), threadId, name);
  const target = targetChannelOf(platform, webhook, threadId);
  if (name === undefined) return createMessage(platform, writer, accessOf(target), body, files);
  checkTagsOfPost(target, () => true, tags ?? []);
  // A forum post and its first message have the same id.
  const id = messageIds(world, clock.now())();
  return world.transaction(() => {
    const kind = { id, type: POST };
    const thread = newThread(platform, { channel: target }, null, kind, { name, applied_tags: tags });
    openThread(platform, thread, undefined);
    return createMessage(platform, writer, accessOf(thread), body, files, id);
  });
}

/** @throws ApiError for a new post outside of a forum, and for a forum message without a post. */
function checkThread(channel: ChannelRecord, threadId: string | undefined, name: string | undefined): void {
  if (threadId !== undefined && name !== undefined) {
    throw new ApiError('WebhooksPostedToForumChannelsCannotHaveBothAThreadNameAndThreadId');
  }
  const isForum = !hasText(channel) && !isThread(channel);
  if (isForum && threadId === undefined && name === undefined) {
    throw new ApiError('WebhooksPostedToForumChannelsMustHaveAThreadNameOrThreadId');
  }
  if (!isForum && name !== undefined) {
    throw new ApiError('WebhooksCanOnlyCreateThreadsInForumChannels');
  }
}
