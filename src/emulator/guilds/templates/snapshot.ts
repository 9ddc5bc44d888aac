import * as z from 'zod';
import { namedShape, permissionSet } from '../../api/fields.ts';
import type { Reading } from '../../api/world.ts';
import { type ChannelRecord, holdsThreads, isThread, NEW_THREAD } from '../channels/records.ts';
import type { Guild } from '../records.ts';
import { roleShape } from '../roles/answers.ts';
import { rolesInOrder } from '../roles/roles.ts';

const overwriteShape = z.object({
  id: z.string(),
  type: z.int(),
  allow: permissionSet(),
  deny: permissionSet(),
});

const channelShape = z.object({
  id: z.int(),
  type: z.int(),
  name: z.string(),
  position: z.int(),
  topic: z.nullable(z.string()),
  bitrate: z.int(),
  user_limit: z.int(),
  nsfw: z.boolean(),
  rate_limit_per_user: z.int(),
  parent_id: z.nullable(z.string()),
  default_auto_archive_duration: z.nullable(z.int()),
  permission_overwrites: z.array(overwriteShape),
  available_tags: z.nullable(
    z.array(
      z.object({
        id: z.int(),
        name: z.string(),
        emoji_id: z.nullable(z.string()),
        emoji_name: z.nullable(z.string()),
        moderated: z.boolean(),
      }),
    ),
  ),
  template: z.string(),
  default_reaction_emoji: z.nullable(
    z.object({ emoji_id: z.nullable(z.string()), emoji_name: z.nullable(z.string()) }),
  ),
  default_thread_rate_limit_per_user: z.nullable(z.int()),
  default_sort_order: z.nullable(z.int()),
  default_forum_layout: z.nullable(z.int()),
  default_tag_setting: z.null(),
  theme_color: z.null(),
});

/** Fields of a role in a snapshot. They include no image and no reference to objects outside of the snapshot. */
const snapshotRole = roleShape
  .pick({
    name: true,
    permissions: true,
    color: true,
    colors: true,
    hoist: true,
    mentionable: true,
    unicode_emoji: true,
  })
  .extend({ id: z.int(), icon: z.null() });

/** A guild without its users. Its parts refer to each other by ids that count from 0. */
export const snapshotShape = namedShape('GuildTemplateSnapshot', {
  name: z.string(),
  description: z.nullable(z.string()),
  region: z.null(),
  verification_level: z.int(),
  default_message_notifications: z.int(),
  explicit_content_filter: z.int(),
  preferred_locale: z.string(),
  afk_channel_id: z.nullable(z.string()),
  afk_timeout: z.int(),
  system_channel_id: z.nullable(z.string()),
  system_channel_flags: z.int(),
  roles: z.array(snapshotRole),
  channels: z.array(channelShape),
});

type Snapshot = z.output<typeof snapshotShape>;

const [TEXT, VOICE, CATEGORY, FORUM] = [0, 2, 4, 15] as const;
/** Channel types in a template. Types that only a community may have become types that every guild may have. */
const TYPES: Readonly<Record<number, number>> = {
  [TEXT]: TEXT,
  [VOICE]: VOICE,
  [CATEGORY]: CATEGORY,
  5: TEXT,
  13: VOICE,
  [FORUM]: FORUM,
  16: FORUM,
};
const USUAL_BITRATE = 64_000;

/** Snapshot of a guild without its users and without the roles of bots. */
export function snapshotOf(tables: Reading, guild: Guild): Snapshot {
  const roles = rolesInOrder(tables, guild.id).filter(({ bot }) => bot === null);
  const roleIds = new Map(roles.map(({ id }, index) => [id, index]));
  const channels = channelsInOrder(tables, guild);
  const channelIds = new Map(channels.map(({ id }, index) => [id, index + 1]));
  const templateIdOf = (id: string | null): string | null => {
    const channelIndex = channelIds.get(id ?? '');
    return channelIndex === undefined ? null : String(channelIndex);
  };
  return {
    name: guild.name,
    description: guild.description,
    region: null,
    verification_level: guild.verification_level,
    default_message_notifications: guild.default_message_notifications,
    explicit_content_filter: guild.explicit_content_filter,
    preferred_locale: guild.preferred_locale,
    afk_channel_id: templateIdOf(guild.afk_channel),
    afk_timeout: guild.afk_timeout,
    system_channel_id: templateIdOf(guild.system_channel),
    system_channel_flags: guild.system_channel_flags,
    roles: roles.map(({ name, permissions, colors, hoist, mentionable, unicode_emoji }, id) => ({
      id,
      name,
      permissions,
      color: colors.primary_color,
      colors: { ...colors },
      hoist,
      mentionable,
      icon: null,
      unicode_emoji,
    })),
    channels: channels.map((channel, index) => ({
      ...ofChannel(channel),
      id: index + 1,
      parent_id: templateIdOf(channel.parent),
      permission_overwrites: [...tables.role_overwrites.by('channel', channel.id)].flatMap(
        ({ role, allow, deny }) => {
          const id = roleIds.get(role);
          return id === undefined ? [] : [{ id: String(id), type: 0, allow, deny }];
        },
      ),
    })),
  };
}

/** Channels of a guild in an order in which categories come before their channels. */
function channelsInOrder({ channels }: Reading, guild: Guild): ChannelRecord[] {
  const own = [...channels.by('guild', guild.id)].filter(
    (channel) => !isThread(channel) && TYPES[channel.type] !== undefined,
  );
  const rank = ({ type }: ChannelRecord): number => (type === CATEGORY ? 0 : 1);
  return own.sort((a, b) => rank(a) - rank(b) || a.position - b.position);
}

function ofChannel(channel: ChannelRecord) {
  const { name, position, topic, bitrate, user_limit, nsfw, rate_limit_per_user, available_tags } = channel;
  return {
    type: TYPES[channel.type] ?? TEXT,
    name,
    position,
    topic,
    bitrate: bitrate === 0 ? USUAL_BITRATE : bitrate,
    user_limit,
    nsfw,
    rate_limit_per_user,
    // hikari reads the number of every channel that has threads.
    default_auto_archive_duration:
      channel.default_auto_archive_duration ??
      (holdsThreads(channel) ? NEW_THREAD.auto_archive_duration : null),
    available_tags: available_tags?.map((tag, index) => ({ ...tag, id: index + 1 })) ?? null,
    template: '',
    default_reaction_emoji: channel.default_reaction_emoji ?? null,
    default_thread_rate_limit_per_user: channel.default_thread_rate_limit_per_user ?? null,
    default_sort_order: channel.default_sort_order ?? null,
    default_forum_layout: channel.default_forum_layout ?? null,
    default_tag_setting: null,
    theme_color: null,
  };
}
