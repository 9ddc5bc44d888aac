import * as z from 'zod';
import { type Dispatched, defineDispatch, type GatewayListener } from '../../api/dispatch.ts';
import type { Base, Committed, Reading } from '../../api/world.ts';
import { isSameJson } from '../../kernel/same-json.ts';
import { type AccessRows, mayView, rowsBefore } from '../channels/access.ts';
import { threadAnswer, threadMemberAnswer, threadMemberAnswers } from '../channels/answers.ts';
import { type ChannelRecord, holdsThreads, isThread } from '../channels/records.ts';
import { threadMemberShape, threadShape } from '../channels/shapes.ts';
import { channelsWithChangedVisibility, VISIBILITY_TABLES } from '../channels/visibility.ts';
import { membersBefore, stays } from '../dispatch-audience.ts';
import { memberAnswer, memberShape } from '../members/answers.ts';
import { memberOf } from '../members/membership.ts';
import type { ThreadMember } from './member-records.ts';

const GUILDS = ['GUILDS'] as const;

/**
 * Event of a thread for the bots that can view it according to `rows`. Each bot's payload contains the bot's own
 * membership.
 */
function ofThread(
  rows: AccessRows,
  tables: Reading,
  thread: ChannelRecord,
  more: object = {},
  canSee: (listener: GatewayListener) => boolean = () => true,
): Dispatched {
  const isMember = ({ user }: GatewayListener) => tables.thread_members.has(thread.id, user);
  return {
    guild: thread.guild,
    canSee: (listener) => listener.kind === 'bot' && mayView(rows, thread, listener.user) && canSee(listener),
    data: ({ user }) => ({ ...threadAnswer(tables, thread, user), ...more }),
    sameFor: (listener) => (isMember(listener) ? listener.user : ''),
  };
}

/** Added and removed members of the threads that still exist, by thread. */
function membersByThread(commit: Committed, tables: Reading) {
  const byThread = new Map<ChannelRecord, { readonly added: ThreadMember[]; readonly removed: string[] }>();
  const of = (id: string) => {
    const thread = tables.channels.get(id);
    if (thread === undefined || !stays(commit, tables, thread.guild)) return undefined;
    const known = byThread.get(thread) ?? { added: [], removed: [] };
    byThread.set(thread, known);
    return known;
  };
  const { created, removed } = commit.of('thread_members');
  for (const row of created) of(row.thread)?.added.push(row);
  for (const { thread, user } of removed) of(thread)?.removed.push(user);
  return byThread;
}

/** Events that send the open threads of channels which became visible to a bot, one event per guild. */
function* listSyncs(commit: Committed, { world: { tables } }: Base): Generator<Dispatched> {
  const before = rowsBefore(commit, tables);
  const wasMember = membersBefore(commit, tables);
  const byGuild = new Map<string, ChannelRecord[]>();
  for (const id of channelsWithChangedVisibility(commit, tables).keys()) {
    const channel = tables.channels.get(id);
    if (channel === undefined || !holdsThreads(channel)) continue;
    byGuild.set(channel.guild, [...(byGuild.get(channel.guild) ?? []), channel]);
  }
  for (const [guild, channels] of byGuild) {
    const known = new Map<string, readonly ChannelRecord[]>();
    const gainedBy = ({ user }: GatewayListener): readonly ChannelRecord[] => {
      const found =
        known.get(user) ??
        channels.filter((channel) => {
          const was = before.channels.get(channel.id);
          return was !== undefined && mayView(tables, channel, user) && !mayView(before, was, user);
        });
      known.set(user, found);
      return found;
    };
    yield {
      guild,
      canSee: (listener) =>
        listener.kind === 'bot' && wasMember(guild, listener.user) && gainedBy(listener).length > 0,
      data: (listener) => listAnswer(tables, guild, gainedBy(listener), listener.user),
      sameFor: ({ user }) => user,
    };
  }
}

function listAnswer(tables: Reading, guild: string, channels: readonly ChannelRecord[], user: string) {
  const threads = channels.flatMap(({ id }) => activeThreads(tables, tables.channels.by('parent', id), user));
  return {
    guild_id: guild,
    channel_ids: channels.map(({ id }) => id),
    threads: threads.map((thread) => threadAnswer(tables, thread)),
    members: threadMemberAnswers(tables, threads, user),
  };
}

/** The open threads in the given channels that a user may view. */
export function activeThreads(
  tables: Reading,
  channels: Iterable<ChannelRecord>,
  user: string,
): ChannelRecord[] {
  return [...channels].filter(
    (one) => isThread(one) && one.thread?.archived !== true && mayView(tables, one, user),
  );
}

const joinedShape = threadMemberShape.extend({ member: memberShape, presence: z.null() });

/** Gateway events of threads. */
export const threadDispatches = [
  defineDispatch({
    event: 'THREAD_CREATE',
    summary: 'A thread was created, or the bot was added to one.',
    intents: GUILDS,
    tables: ['channels', 'thread_members'],
    shape: threadShape.extend({ newly_created: z.optional(z.literal(true)) }),
    *derive(commit, { world: { tables } }) {
      for (const thread of commit.of('channels').created) {
        if (!isThread(thread) || !stays(commit, tables, thread.guild)) continue;
        yield ofThread(tables, tables, thread, { newly_created: true });
      }
      const before = rowsBefore(commit, tables);
      for (const { thread: id, user } of commit.of('thread_members').created) {
        const [thread, was] = [tables.channels.get(id), before.channels.get(id)];
        // The event of a thread's creation has already reached the thread's first members.
        if (thread === undefined || was === undefined) continue;
        yield ofThread(tables, tables, thread, {}, (listener) => listener.user === user);
      }
    },
  }),
  defineDispatch({
    event: 'THREAD_UPDATE',
    summary: 'A visible thread was changed.',
    intents: GUILDS,
    tables: ['channels'],
    shape: threadShape,
    *derive(commit, { world: { tables } }) {
      for (const { before, after } of commit.of('channels').updated) {
        if (!isThread(after) || isSameJson({ ...before, deny: [] }, { ...after, deny: [] })) continue;
        yield ofThread(tables, tables, after);
      }
    },
  }),
  defineDispatch({
    event: 'THREAD_DELETE',
    summary: 'A visible thread was deleted.',
    intents: GUILDS,
    tables: ['channels'],
    shape: z.object({
      id: z.string(),
      guild_id: z.string(),
      parent_id: z.nullable(z.string()),
      type: z.int(),
    }),
    ours: 'Not sent for threads that are deleted with their channel.',
    *derive(commit, { world: { tables } }) {
      const rows = rowsBefore(commit, tables);
      for (const row of commit.of('channels').removed) {
        // The earlier state is used: a thread that was deleted with its channel has lost its parent in this
        // transaction.
        const { id, guild, type } = row;
        const parent = commit.was('channels', id)?.parent ?? null;
        if (!isThread(row) || !stays(commit, tables, guild) || !tables.channels.has(parent ?? '')) continue;
        yield {
          guild,
          canSee: ({ kind, user }) => kind === 'bot' && mayView(rows, row, user),
          data: () => ({ id, guild_id: guild, parent_id: parent, type }),
        };
      }
    },
  }),
  defineDispatch({
    event: 'THREAD_LIST_SYNC',
    summary: 'Channels became visible: their open threads.',
    intents: GUILDS,
    tables: VISIBILITY_TABLES,
    shape: z.object({
      guild_id: z.string(),
      channel_ids: z.array(z.string()),
      threads: z.array(threadShape),
      members: z.array(threadMemberShape),
    }),
    derive: listSyncs,
  }),
  defineDispatch({
    event: 'THREAD_MEMBER_UPDATE',
    summary: 'The bot joined a thread, or one of its threads was opened again.',
    intents: GUILDS,
    tables: ['channels', 'thread_members'],
    shape: threadMemberShape.extend({ guild_id: z.string() }),
    *derive(commit, { world: { tables } }) {
      const { created, updated } = commit.of('thread_members');
      const opened = commit
        .of('channels')
        .updated.filter(({ before, after }) => before.thread?.archived && after.thread?.archived === false)
        .flatMap(({ after }) => [...tables.thread_members.by('thread', after.id)]);
      for (const row of new Set([...created, ...updated.map(({ after }) => after), ...opened])) {
        const thread = tables.channels.get(row.thread);
        if (thread === undefined || !stays(commit, tables, thread.guild)) continue;
        const { guild } = thread;
        yield {
          guild,
          canSee: ({ kind, user }) => kind === 'bot' && user === row.user && mayView(tables, thread, user),
          data: () => ({ ...threadMemberAnswer(row), guild_id: guild }),
        };
      }
    },
  }),
  defineDispatch({
    event: 'THREAD_MEMBERS_UPDATE',
    summary: 'Users joined a thread or left it; without GUILD_MEMBERS only the bot itself.',
    intents: GUILDS,
    tables: ['thread_members'],
    shape: z.object({
      id: z.string(),
      guild_id: z.string(),
      member_count: z.int(),
      added_members: z.optional(z.array(joinedShape)),
      removed_member_ids: z.optional(z.array(z.string())),
    }),
    *derive(commit, { world: { tables } }) {
      const rows = rowsBefore(commit, tables);
      for (const [thread, { added, removed }] of membersByThread(commit, tables)) {
        const { id, guild } = thread;
        const joined = added.flatMap((row) => {
          const member = memberOf(tables, guild, row.user);
          if (member === undefined) return [];
          return [{ ...threadMemberAnswer(row), member: memberAnswer(tables, member), presence: null }];
        });
        const data = {
          id,
          guild_id: guild,
          member_count: threadAnswer(tables, thread).member_count,
          ...(joined.length === 0 ? {} : { added_members: joined }),
          ...(removed.length === 0 ? {} : { removed_member_ids: removed }),
        };
        const isOwn = (user: string) => removed.includes(user) || added.some((row) => row.user === user);
        const canSee = ({ kind, user }: GatewayListener) =>
          kind === 'bot' && (mayView(tables, thread, user) || mayView(rows, thread, user));
        yield { guild, canSee: (one) => isOwn(one.user) && canSee(one), data: () => data };
        yield {
          guild,
          intents: ['GUILD_MEMBERS'],
          canSee: (one) => !isOwn(one.user) && canSee(one),
          data: () => data,
        };
      }
    },
  }),
];
