import * as z from 'zod';
import { ApiError, full, requiredField } from '../api/api-error.ts';
import type { BotCaller } from '../api/caller.ts';
import { list, maybe, snowflake } from '../api/fields.ts';
import { operationsFor } from '../api/operation.ts';
import { present } from '../api/present.ts';
import type { Base } from '../api/world.ts';
import type { HasFileAddresses } from '../files/addresses.ts';
import type { HasFileStore } from '../files/store.ts';
import { AUDIT, auditChanges, noteInChannel } from '../guilds/audit/audit.ts';
import { type HasAutoMod, MessageBlocked } from '../guilds/automod/automod.ts';
import { threadAnswer } from '../guilds/channels/answers.ts';
import { type ChannelAccess, channelInView } from '../guilds/channels/channel-access.ts';
import { checkTagsOfPost } from '../guilds/channels/forum-rules.ts';
import { type ChannelRecord, isForum, NEW_THREAD } from '../guilds/channels/records.ts';
import { threadBody } from '../guilds/channels/requests.ts';
import { threadShape } from '../guilds/channels/shapes.ts';
import { joinThread } from '../guilds/threads/members.ts';
import { MAX_RECORDS } from '../kernel/limits.ts';
import { messageAnswer } from './answers.ts';
import { MESSAGE_BODY, withUploads } from './attachments/uploads.ts';
import { createMessage } from './create.ts';
import { MESSAGE_TYPES, type Message } from './records.ts';
import { createBody, NOT_OFFERED } from './requests.ts';
import { messageShape } from './shapes.ts';
import { messageIn, viewerOf } from './viewer.ts';
import { messageIds, writeNotice } from './write.ts';

const defineOperation = operationsFor<Base & HasAutoMod & HasFileAddresses & HasFileStore>();

const TEXT = 0;
const ANNOUNCEMENT = 5;
const ANNOUNCEMENT_THREAD = 10;
const PUBLIC_THREAD = 11;
const PRIVATE_THREAD = 12;

type ThreadRequest = Pick<z.output<typeof threadBody>, 'name'> & {
  readonly auto_archive_duration?: number | undefined;
  readonly rate_limit_per_user?: number | undefined;
  readonly invitable?: boolean | undefined;
  readonly applied_tags?: readonly string[] | undefined;
};

/** Type of a forum post, which is a public thread. */
export const POST = PUBLIC_THREAD;

/**
 * A new thread of a channel that is not inserted yet. @throws ApiError 503 when the number of channels is at its
 * maximum.
 */
export function newThread(
  { world }: Pick<Base, 'world'>,
  { channel }: Pick<ChannelAccess, 'channel'>,
  owner: string | null,
  kind: { readonly id: string; readonly type: number },
  request: ThreadRequest,
): ChannelRecord {
  if (world.tables.channels.size >= MAX_RECORDS) throw full('channels');
  const { default_auto_archive_duration: minutes, default_thread_rate_limit_per_user: pause } = channel;
  return present({
    ...kind,
    guild: channel.guild,
    name: request.name,
    topic: null,
    bitrate: 0,
    user_limit: 0,
    position: 0,
    nsfw: channel.nsfw,
    parent: channel.id,
    rate_limit_per_user: request.rate_limit_per_user ?? pause ?? 0,
    flags: 0,
    owner,
    thread: {
      ...NEW_THREAD,
      auto_archive_duration: request.auto_archive_duration ?? minutes ?? NEW_THREAD.auto_archive_duration,
      invitable: request.invitable ?? true,
      applied_tags: request.applied_tags,
    },
    deny: [],
  }) as ChannelRecord;
}

/**
 * Inserts a thread and, optionally, a notice about it. The caller becomes a member of the thread; a thread of a webhook
 * has no caller.
 */
export function openThread(
  platform: Base,
  thread: ChannelRecord,
  caller: BotCaller | undefined,
  reason?: string,
  note?: Pick<Message, 'channel' | 'type' | 'about' | 'content'>,
): void {
  const { world, clock } = platform;
  const now = clock.now();
  world.transaction((tables) => {
    tables.channels.insert(thread);
    noteInChannel(platform, tables, caller, thread, {
      action: AUDIT.THREAD_CREATE,
      target: thread.id,
      reason,
      changes: auditChanges(undefined, threadAnswer(world.tables, thread)),
    });
    if (caller === undefined) return;
    joinThread(tables, { thread: thread.id, user: caller.user.id }, now);
    if (note !== undefined) writeNotice(world, tables, now, { ...note, author: caller.user.id });
  });
}

const forumBody = threadBody.omit({ type: true, invitable: true }).extend({
  applied_tags: maybe(list(snowflake(), 0, 5)),
  message: createBody.omit({ nonce: true, enforce_nonce: true, tts: true, message_reference: true }),
});

/** The routes that create threads. */
export const threadCreationOperations = [
  defineOperation({
    id: 'create_thread_from_message',
    summary: 'Starts a thread at a message.',
    route: 'POST /channels/{channel_id}/messages/{message_id}/threads',
    body: threadBody.omit({ type: true, invitable: true }),
    answers: { 201: threadShape },
    handle: ({ params, caller, body, reason }, platform) => {
      const access = channelInView(platform, params.channel_id, caller);
      const { type } = access.channel;
      if (type !== TEXT && type !== ANNOUNCEMENT) throw new ApiError('CannotExecuteActionOnThisChannelType');
      access.need('READ_MESSAGE_HISTORY', 'CREATE_PUBLIC_THREADS');
      const { id, channel } = messageIn(platform, access, params.message_id);
      if (platform.world.tables.channels.has(id)) throw new ApiError('ThreadAlreadyCreatedForMessage');
      const kind = { id, type: type === ANNOUNCEMENT ? ANNOUNCEMENT_THREAD : PUBLIC_THREAD };
      const thread = newThread(platform, access, caller.user.id, kind, body);
      openThread(platform, thread, caller, reason, {
        channel: id,
        content: '',
        type: MESSAGE_TYPES.threadStarter,
        about: { kind: 'thread', channel, message: id },
      });
      return { status: 201, body: threadAnswer(platform.world.tables, thread, caller.user.id) };
    },
  }),
  defineOperation({
    id: 'create_thread',
    summary: 'Starts a thread: with a message in a forum, without one elsewhere.',
    route: 'POST /channels/{channel_id}/threads',
    body: z.union([forumBody, threadBody]),
    ...MESSAGE_BODY,
    notOffered: NOT_OFFERED.map((field) => `message.${field}`),
    answers: { 201: z.union([threadShape.extend({ message: messageShape }), threadShape]) },
    handle: async (request, platform) => {
      const { caller, body } = request;
      const access = channelInView(platform, request.params.channel_id, caller);
      const { channel, need } = access;
      const { world, clock } = platform;
      if (isForum(channel)) {
        if (!('message' in body)) throw requiredField('message');
        needPost(access, body);
        return withUploads(platform, request.files, body.message.attachments, (files) => {
          // The channel may have been removed or changed while the files were stored.
          const forum = channelInView(platform, channel.id, caller);
          needPost(forum, body);
          return moderated(() =>
            world.transaction(() => {
              const id = messageIds(world, clock.now())();
              const thread = newThread(platform, forum, caller.user.id, { id, type: PUBLIC_THREAD }, body);
              openThread(platform, thread, caller, request.reason);
              const inside = { ...forum, channel: thread, need: needInside(forum) };
              const post = createMessage(platform, caller, inside, { ...body.message }, files, id);
              const answer = threadAnswer(world.tables, thread, caller.user.id);
              return {
                status: 201,
                body: { ...answer, message: messageAnswer(viewerOf(platform, request), post) },
              };
            }),
          );
        });
      }
      const id = messageIds(world, clock.now())();
      const { type = channel.type === ANNOUNCEMENT ? ANNOUNCEMENT_THREAD : PRIVATE_THREAD } =
        'message' in body ? {} : body;
      if (channel.type !== TEXT && channel.type !== ANNOUNCEMENT)
        throw new ApiError('CannotExecuteActionOnThisChannelType');
      if ((type === ANNOUNCEMENT_THREAD) !== (channel.type === ANNOUNCEMENT))
        throw new ApiError('CannotExecuteActionOnThisChannelType');
      need(type === PRIVATE_THREAD ? 'CREATE_PRIVATE_THREADS' : 'CREATE_PUBLIC_THREADS');
      const thread = newThread(platform, access, caller.user.id, { id, type }, body as ThreadRequest);
      const note = {
        channel: channel.id,
        content: thread.name,
        type: MESSAGE_TYPES.threadCreated,
        about: { kind: 'thread', channel: id, message: id } as const,
      };
      openThread(platform, thread, caller, request.reason, type === PRIVATE_THREAD ? undefined : note);
      return { status: 201, body: threadAnswer(world.tables, thread, caller.user.id) };
    },
  }),
];

/** Checks that the caller may write a post with these tags in a forum. @throws ApiError */
function needPost(
  { channel, need, may }: ChannelAccess,
  { applied_tags = [] }: Pick<ThreadRequest, 'applied_tags'>,
): void {
  need('SEND_MESSAGES');
  checkTagsOfPost(channel, may, applied_tags);
}

/**
 * Runs `post`, which creates a thread with its first message. When AutoMod blocks the message, the thread is undone
 * with it, but the actions of the AutoMod rules are applied again.
 */
function moderated<T>(post: () => T): T {
  try {
    return post();
  } catch (error) {
    if (error instanceof MessageBlocked) error.redo();
    throw error;
  }
}

/**
 * The first message of a forum post needs no permission to write in threads, because the user may post in the forum.
 */
function needInside({ need }: ChannelAccess): ChannelAccess['need'] {
  return (...permissions) => need(...permissions.filter((one) => one !== 'SEND_MESSAGES_IN_THREADS'));
}
