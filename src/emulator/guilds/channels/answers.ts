import type * as z from 'zod';
import { timestamp } from '../../api/fields.ts';
import type { Reading } from '../../api/world.ts';
import { timeOf } from '../../kernel/snowflake.ts';
import type { ThreadMember } from '../threads/member-records.ts';
import { lastMessageOf, messagesSent } from './deleted-messages.ts';
import { overwritesOf } from './overwrites.ts';
import { type ChannelRecord, hasVoice, isForum, isThread, NEW_THREAD } from './records.ts';
import type { channelShape, guildChannelShape, threadMemberShape, threadShape } from './shapes.ts';

const CATEGORY = 4;
const PRIVATE_THREAD = 12;
/** Maximum member count of a thread in replies; a higher count is sent as this number. */
const MAX_MEMBER_COUNT = 50;

/** Flag of a channel that the gateway sends without its content. HTTP replies leave such a channel out. */
export const OBFUSCATED = 1 << 17;

/** A channel or thread of a guild. */
export function channelAnswer(tables: Reading, channel: ChannelRecord): z.output<typeof channelShape> {
  return isThread(channel) ? threadAnswer(tables, channel) : guildChannelAnswer(tables, channel);
}

function sharedAnswer(tables: Reading, channel: ChannelRecord) {
  const { id, type, guild, name, parent, flags, rate_limit_per_user } = channel;
  const pins = [...tables.messages.by('pinned', id)].map((one) => Date.parse(one.pinned_at ?? one.timestamp));
  return {
    id,
    type,
    guild_id: guild,
    name,
    parent_id: parent,
    flags: flags & ~OBFUSCATED,
    ...(type === CATEGORY ? {} : { rate_limit_per_user, last_message_id: lastMessageOf(tables, id) }),
    ...(pins.length === 0 ? {} : { last_pin_timestamp: timestamp(Math.max(...pins)) }),
  };
}

/** A channel of a guild with its overwrites. */
export function guildChannelAnswer(
  tables: Reading,
  channel: ChannelRecord,
): z.output<typeof guildChannelShape> {
  const { id, type, position, nsfw, topic, bitrate, user_limit } = channel;
  return {
    ...sharedAnswer(tables, channel),
    position,
    permission_overwrites: overwritesOf(tables, id),
    nsfw,
    ...(type === CATEGORY ? {} : { topic }),
    ...(hasVoice(channel)
      ? {
          bitrate,
          user_limit,
          rtc_region: channel.rtc_region ?? null,
          ...(channel.video_quality_mode === undefined
            ? {}
            : { video_quality_mode: channel.video_quality_mode }),
        }
      : {}),
    ...(channel.default_auto_archive_duration === undefined
      ? {}
      : { default_auto_archive_duration: channel.default_auto_archive_duration }),
    ...(channel.default_thread_rate_limit_per_user === undefined
      ? {}
      : { default_thread_rate_limit_per_user: channel.default_thread_rate_limit_per_user }),
    ...(isForum(channel)
      ? {
          available_tags: (channel.available_tags ?? []).map((tag) => ({ ...tag })),
          default_reaction_emoji: channel.default_reaction_emoji ?? null,
          default_sort_order: channel.default_sort_order ?? null,
          default_forum_layout: channel.default_forum_layout ?? 0,
        }
      : {}),
  };
}

/** A thread, with the membership of `userId` where that is set. */
export function threadAnswer(
  tables: Reading,
  channel: ChannelRecord,
  userId?: string,
): z.output<typeof threadShape> {
  const { id, type, owner } = channel;
  const thread = channel.thread ?? NEW_THREAD;
  const made = timestamp(timeOf(id));
  const member = userId === undefined ? undefined : tables.thread_members.get(id, userId);
  return {
    ...sharedAnswer(tables, channel),
    owner_id: owner ?? '0',
    thread_metadata: {
      archived: thread.archived,
      archive_timestamp:
        thread.archive_timestamp === null ? made : timestamp(Date.parse(thread.archive_timestamp)),
      auto_archive_duration: thread.auto_archive_duration,
      locked: thread.locked,
      create_timestamp: made,
      ...(type === PRIVATE_THREAD ? { invitable: thread.invitable } : {}),
    },
    message_count: tables.messages.by('channel', id).size,
    member_count: Math.min(MAX_MEMBER_COUNT, tables.thread_members.by('thread', id).size),
    total_message_sent: messagesSent(tables, id),
    ...(thread.applied_tags === undefined ? {} : { applied_tags: [...thread.applied_tags] }),
    ...(member === undefined ? {} : { member: threadMemberAnswer(member) }),
  };
}

/** Memberships of a user in those of the threads that the user is in. */
export function threadMemberAnswers(
  tables: Reading,
  threads: readonly { readonly id: string }[],
  user: string,
): z.output<typeof threadMemberShape>[] {
  return threads
    .flatMap(({ id }) => tables.thread_members.get(id, user) ?? [])
    .map((member) => threadMemberAnswer(member));
}

/** Membership of a user in a thread. */
export function threadMemberAnswer({
  thread,
  user,
  joined_at,
}: ThreadMember): z.output<typeof threadMemberShape> {
  return { id: thread, user_id: user, join_timestamp: timestamp(Date.parse(joined_at)), flags: 0 };
}
