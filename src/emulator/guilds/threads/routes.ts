import * as z from 'zod';
import { ApiError } from '../../api/api-error.ts';
import type { BotCaller } from '../../api/caller.ts';
import { moment, queryInteger, snowflake } from '../../api/fields.ts';
import { defineOperation, noContent, ok } from '../../api/operation.ts';
import type { Base } from '../../api/world.ts';
import { isBefore, timeOf } from '../../kernel/snowflake.ts';
import { permissionsIn } from '../channels/access.ts';
import { threadAnswer, threadMemberAnswer, threadMemberAnswers } from '../channels/answers.ts';
import { accessTo, channelInView } from '../channels/channel-access.ts';
import { type ChannelRecord, isThread } from '../channels/records.ts';
import { threadMemberShape, threadShape } from '../channels/shapes.ts';
import { requestingMember } from '../guild-access.ts';
import { memberAnswer, memberShape } from '../members/answers.ts';
import { memberOf } from '../members/membership.ts';
import type { ThreadMember } from './member-records.ts';
import { joinThread } from './members.ts';
import { checkThreadState } from './rules.ts';

const PRIVATE_THREAD = 12;

const list = z.object({
  threads: z.array(threadShape),
  members: z.array(threadMemberShape),
  has_more: z.boolean(),
});

const withMemberShape = threadMemberShape.extend({ member: z.optional(memberShape) });

/** Membership in a thread; it includes the guild member if the request asks for it. */
function inThread(
  { world }: Base,
  { guild }: ChannelRecord,
  row: ThreadMember,
  withMember: boolean,
): z.output<typeof withMemberShape> {
  const member = withMember ? memberOf(world.tables, guild ?? '', row.user) : undefined;
  return {
    ...threadMemberAnswer(row),
    ...(member === undefined ? {} : { member: memberAnswer(world.tables, member) }),
  };
}

/** Query of a list of archived threads, in the order of archive times or, for the caller's own threads, of ids. */
function archivedQuery(byId: boolean) {
  const before = byId ? snowflake().transform(timeOf) : moment();
  return z.object({ before: z.optional(before), limit: z.optional(queryInteger(2, 100)) });
}

/** A thread that the caller can view. @throws ApiError 50024 for a channel that is no thread. */
function threadInView(platform: Base, id: string, caller: BotCaller) {
  const access = channelInView(platform, id, caller);
  if (!isThread(access.channel)) throw new ApiError('CannotExecuteActionOnThisChannelType');
  return access;
}

/** A list of threads, with the caller's membership in each. */
function listAnswer(
  { world }: Base,
  { user }: BotCaller,
  threads: readonly ChannelRecord[],
  has_more: boolean,
) {
  const { tables } = world;
  return {
    threads: threads.map((thread) => threadAnswer(tables, thread, user.id)),
    members: threadMemberAnswers(tables, threads, user.id),
    has_more,
  };
}

/** Archived threads of a channel; the thread that was archived last comes first. */
function archivedPage(
  platform: Base,
  caller: BotCaller,
  page: { readonly channel: ChannelRecord; readonly before: number; readonly limit: number },
  isOf: (thread: ChannelRecord) => boolean,
) {
  const time = ({ id, thread }: ChannelRecord): number =>
    thread?.archive_timestamp ? Date.parse(thread.archive_timestamp) : timeOf(id);
  const found = [...platform.world.tables.channels.by('parent', page.channel.id)]
    .filter((one) => one.thread?.archived === true && isOf(one) && time(one) < page.before)
    .sort((a, b) => time(b) - time(a));
  return listAnswer(platform, caller, found.slice(0, page.limit), found.length > page.limit);
}

function addMember({ world, clock }: Base, thread: string, user: string): void {
  world.transaction((tables) => joinThread(tables, { thread, user }, clock.now()));
}

/**
 * A visible open thread whose members are to be changed. @throws ApiError for a thread that is not visible or not open.
 */
function openThread(...of: Parameters<typeof threadInView>): ReturnType<typeof threadInView> {
  const thread = threadInView(...of);
  checkThreadState(thread, 'join');
  return thread;
}

/** Routes of threads and of their members. */
export const threadOperations = [
  defineOperation({
    id: 'join_thread',
    summary: 'Joins a thread.',
    route: 'PUT /channels/{channel_id}/thread-members/@me',
    answers: { 204: null },
    handle: ({ params, caller }, platform) => {
      const { channel } = openThread(platform, params.channel_id, caller);
      addMember(platform, channel.id, caller.user.id);
      return noContent();
    },
  }),
  defineOperation({
    id: 'leave_thread',
    summary: 'Leaves a thread.',
    route: 'DELETE /channels/{channel_id}/thread-members/@me',
    answers: { 204: null },
    handle: ({ params, caller }, platform) => {
      const { channel } = openThread(platform, params.channel_id, caller);
      platform.world.transaction(({ thread_members }) =>
        thread_members.remove(`${channel.id} ${caller.user.id}`),
      );
      return noContent();
    },
  }),
  defineOperation({
    id: 'add_thread_member',
    summary: 'Adds a user who may view a thread to it.',
    route: 'PUT /channels/{channel_id}/thread-members/{user_id}',
    answers: { 204: null },
    handle: ({ params, caller }, platform) => {
      const { channel, need, may } = openThread(platform, params.channel_id, caller);
      need('SEND_MESSAGES_IN_THREADS');
      const isClosed = channel.type === PRIVATE_THREAD && channel.thread?.invitable === false;
      if (isClosed && channel.owner !== caller.user.id && !may('MANAGE_THREADS')) need('MANAGE_THREADS');
      const user = platform.world.tables.users.get(params.user_id);
      // Only users who can view the parent channel can be added to the thread.
      if (user === undefined || accessTo(platform, channel.parent ?? '', user) === undefined) {
        throw new ApiError('UnknownMember');
      }
      addMember(platform, channel.id, user.id);
      return noContent();
    },
  }),
  defineOperation({
    id: 'delete_thread_member',
    summary: 'Removes a user from a thread.',
    route: 'DELETE /channels/{channel_id}/thread-members/{user_id}',
    answers: { 204: null },
    handle: ({ params, caller }, platform) => {
      const { channel, need } = openThread(platform, params.channel_id, caller);
      const isOwn = channel.type === PRIVATE_THREAD && channel.owner === caller.user.id;
      if (!isOwn) need('MANAGE_THREADS');
      const { world } = platform;
      const key = `${channel.id} ${params.user_id}`;
      if (!world.transaction(({ thread_members }) => thread_members.remove(key))) {
        throw new ApiError('UnknownMember');
      }
      return noContent();
    },
  }),
  defineOperation({
    id: 'get_thread_member',
    summary: 'A member of a thread.',
    route: 'GET /channels/{channel_id}/thread-members/{user_id}',
    query: z.object({ with_member: z.optional(z.boolean()) }),
    answers: { 200: withMemberShape },
    handle: ({ params, caller, query }, platform) => {
      const { channel } = threadInView(platform, params.channel_id, caller);
      const member = platform.world.tables.thread_members.get(channel.id, params.user_id);
      if (member === undefined) throw new ApiError('UnknownMember');
      return ok(inThread(platform, channel, member, query.with_member === true));
    },
  }),
  defineOperation({
    id: 'list_thread_members',
    summary: 'Members of a thread; with the members of the guild, ordered by id and in pages.',
    route: 'GET /channels/{channel_id}/thread-members',
    query: z.object({
      with_member: z.optional(z.boolean()),
      limit: z.optional(queryInteger(1, 100)),
      after: z.optional(snowflake()),
    }),
    ours: 'Pages are for with_member alone, as before version 11 of the API; without it `limit` and `after` have no effect.',
    answers: { 200: z.array(withMemberShape) },
    handle: ({ params, caller, query }, platform) => {
      const { channel } = threadInView(platform, params.channel_id, caller);
      const all = [...platform.world.tables.thread_members.by('thread', channel.id)];
      if (query.with_member !== true) return ok(all.map(threadMemberAnswer));
      const { limit = 100, after = '0' } = query;
      const page = all
        .filter(({ user }) => isBefore(after, user))
        .sort((a, b) => (isBefore(a.user, b.user) ? -1 : 1))
        .slice(0, limit);
      return ok(page.map((member) => inThread(platform, channel, member, true)));
    },
  }),
  defineOperation({
    id: 'get_active_guild_threads',
    summary: 'The open threads of a guild that the caller may view, newest first.',
    route: 'GET /guilds/{guild_id}/threads/active',
    answers: { 200: list },
    handle: ({ params, caller }, platform) => {
      const { guild } = requestingMember(caller, params.guild_id, platform);
      const { world, clock } = platform;
      const { tables } = world;
      const threads = [...tables.channels.by('guild', guild.id)]
        .filter((one) => isThread(one) && one.thread?.archived !== true)
        .filter((one) => permissionsIn(tables, one, caller.user.id, clock.now()) !== 0n)
        .sort((a, b) => timeOf(b.id) - timeOf(a.id));
      return ok(listAnswer(platform, caller, threads, false));
    },
  }),
  ...(
    [
      [
        'list_public_archived_threads',
        'threads/archived/public',
        'public',
        'The archived public threads of a channel',
      ],
      [
        'list_private_archived_threads',
        'threads/archived/private',
        'private',
        'The archived private threads of a channel',
      ],
      [
        'list_my_private_archived_threads',
        'users/@me/threads/archived/private',
        'mine',
        'The archived private threads of a channel that the caller is in',
      ],
    ] as const
  ).map(([id, path, kind, summary]) =>
    defineOperation({
      id,
      summary: `${summary}, the last archived one first.`,
      route: `GET /channels/{channel_id}/${path}`,
      query: archivedQuery(kind === 'mine'),
      answers: { 200: list },
      handle: ({ params, caller, query }, platform) => {
        const { channel, need } = channelInView(platform, params.channel_id, caller);
        need('READ_MESSAGE_HISTORY');
        if (kind === 'private') need('MANAGE_THREADS');
        const { limit = 50, before = Number.POSITIVE_INFINITY } = query;
        const { thread_members } = platform.world.tables;
        const page = archivedPage(platform, caller, { channel, before, limit }, (thread) => {
          if ((thread.type === PRIVATE_THREAD) !== (kind !== 'public')) return false;
          return kind !== 'mine' || thread_members.has(thread.id, caller.user.id);
        });
        return ok(page);
      },
    }),
  ),
];
