import * as z from 'zod';
import { namedShape, permissionSet } from '../../api/fields.ts';

const overwriteShape = z.object({
  id: z.string(),
  type: z.int(),
  allow: permissionSet(),
  deny: permissionSet(),
});

const tagShape = z.object({
  id: z.string(),
  name: z.string(),
  moderated: z.boolean(),
  emoji_id: z.nullable(z.string()),
  emoji_name: z.nullable(z.string()),
});

/** Membership of a user in a thread. */
export const threadMemberShape = z.object({
  id: z.string(),
  user_id: z.string(),
  join_timestamp: z.string(),
  flags: z.int(),
});

const shared = {
  id: z.string(),
  type: z.int(),
  guild_id: z.string(),
  name: z.string(),
  parent_id: z.nullable(z.string()),
  flags: z.int(),
  rate_limit_per_user: z.optional(z.int()),
  last_message_id: z.optional(z.nullable(z.string())),
  last_pin_timestamp: z.optional(z.string()),
};

/** A channel of a guild. */
export const guildChannelShape = namedShape('GuildChannel', {
  ...shared,
  position: z.int(),
  permission_overwrites: z.array(overwriteShape),
  nsfw: z.boolean(),
  topic: z.optional(z.nullable(z.string())),
  bitrate: z.optional(z.int()),
  user_limit: z.optional(z.int()),
  rtc_region: z.optional(z.nullable(z.string())),
  video_quality_mode: z.optional(z.int()),
  default_auto_archive_duration: z.optional(z.int()),
  default_thread_rate_limit_per_user: z.optional(z.int()),
  available_tags: z.optional(z.array(tagShape)),
  default_reaction_emoji: z.optional(
    z.nullable(z.object({ emoji_id: z.nullable(z.string()), emoji_name: z.nullable(z.string()) })),
  ),
  default_sort_order: z.optional(z.nullable(z.int())),
  default_forum_layout: z.optional(z.int()),
});

/** A thread. */
export const threadShape = namedShape('Thread', {
  ...shared,
  owner_id: z.string(),
  thread_metadata: z.object({
    archived: z.boolean(),
    archive_timestamp: z.string(),
    auto_archive_duration: z.int(),
    locked: z.boolean(),
    create_timestamp: z.string(),
    invitable: z.optional(z.boolean()),
  }),
  message_count: z.int(),
  member_count: z.int(),
  total_message_sent: z.int(),
  applied_tags: z.optional(z.array(z.string())),
  member: z.optional(threadMemberShape),
});

/** A channel or a thread of a guild. */
export const channelShape = z.union([threadShape, guildChannelShape]);
