import {
  defineRecord,
  type RecordConstraint,
  type RelationCheck,
  type RowOf,
  type SchemaParts,
} from '../../kernel/state/record.ts';

/**
 * Channel type numbers, by the names that a fixture may use. Private channels are not among them, because they belong
 * to no guild.
 */
const channelTypes = {
  text: 0,
  voice: 2,
  category: 4,
  announcement: 5,
  store: 6,
  announcement_thread: 10,
  public_thread: 11,
  private_thread: 12,
  stage: 13,
  directory: 14,
  forum: 15,
  media: 16,
} as const;

/**
 * The parent of a thread must be a channel that can contain threads. The parent of any other channel must be a
 * category.
 */
const inOneThatHolds: RelationCheck = {
  errorText: 'that cannot contain it',
  of: (channel: Placed, parent: Placed) =>
    channel.guild === parent.guild &&
    (isThread(channel)
      ? holdsThreads(parent)
      : parent.type === channelTypes.category && !isCategory(channel)),
};

interface Placed {
  readonly guild: string;
  readonly type: number;
}

/** A channel of a guild. */
export const channels = defineRecord({
  name: 'channels',
  noun: 'channel',
  about:
    'channels: `parent` is its category or, for a thread, its channel; `deny` lists who cannot view it, whatever else they may',
  key: ['id'],
  within: { kind: 'guilds', as: 'channels', field: 'guild' },
  references: {
    deny: { to: 'users', onRemoval: 'refuse' },
    parent: { to: 'channels', onRemoval: 'null', relationCheck: inOneThatHolds },
    owner: { to: 'users', onRemoval: 'null' },
  },
  check: (channel) =>
    isThread(channel) && channel.parent === null
      ? { path: ['parent'], reason: 'must name the channel of the thread' }
      : undefined,
  positionField: 'position',
  printedForms: { type: channelTypes },
  schema: (parts: SchemaParts) => {
    const { table, derived, snowflake, text, textOrEmpty, numberOrName } = parts;
    const { or, orNull, optional, position, flag, list, count, moment, whole, many } = parts;
    return derived(
      table({
        id: snowflake(),
        name: text(100),
        type: numberOrName(channelTypes),
        topic: orNull(textOrEmpty(4096)),
        /** Bitrate in bits per second; 0 for a channel without voice. */
        bitrate: optional(count(384_000)),
        /** 0 is no limit. */
        user_limit: or(count(10_000), 0),
        /** Position in the list; the default follows from the order in the fixture. */
        position: position(1_000_000),
        nsfw: flag(false),
        /** Id of the channel's category; for a thread, id of its channel. */
        parent: orNull(snowflake()),
        /** Slowmode: seconds between two messages of one user; 0 for no slowmode. */
        rate_limit_per_user: or(count(21_600), 0),
        flags: or(count(2 ** 31 - 1), 0),
        /** Status of a voice channel. */
        status: optional(text(500)),
        /** Time since when the voice channel has been in use. */
        voice_start_time: optional(moment()),
        /** Voice region; by default the platform chooses it. */
        rtc_region: optional(text(32)),
        /** 1 auto, 2 full. */
        video_quality_mode: optional(whole(1, 2)),
        /** Defaults for the channel's threads: minutes without a message until a thread is archived, and slowmode. */
        default_auto_archive_duration: optional(count(10_080)),
        default_thread_rate_limit_per_user: optional(count(21_600)),
        /** Tags that posts of the forum may have. */
        available_tags: optional(
          many(
            table({
              id: snowflake(),
              name: text(20),
              moderated: flag(false),
              emoji_id: orNull(snowflake()),
              emoji_name: orNull(text(64)),
            }),
            20,
          ),
        ),
        default_reaction_emoji: optional(
          table({ emoji_id: orNull(snowflake()), emoji_name: orNull(text(64)) }),
        ),
        /** Defaults of a forum: sort order (0 by activity, 1 by date) and layout (0 none, 1 list, 2 gallery). */
        default_sort_order: optional(whole(0, 1)),
        default_forum_layout: optional(whole(0, 2)),
        /** Id of the creator of a thread; null for other channels. */
        owner: orNull(text(64)),
        /** Fields of a thread only. */
        thread: orNull(
          table({
            archived: flag(false),
            /** Minutes without a message after which the thread is archived. */
            auto_archive_duration: or(count(10_080), 1440),
            /** Time when the thread was last archived or unarchived; the default is the creation time. */
            archive_timestamp: orNull(moment()),
            locked: flag(false),
            /** For a private thread: whether members who are not moderators may add users. */
            invitable: flag(true),
            /** Ids of tags of its forum. */
            applied_tags: optional(many(snowflake(), 5)),
          }),
        ),
        /** Ids of the users who cannot view the channel. */
        deny: list(text(64), 200_000),
      }),
      // The default bitrate of a voice channel is 64 kbit/s.
      (written) =>
        Object.assign(written, {
          bitrate: written.bitrate ?? (hasVoice(written) ? 64_000 : 0),
          thread: isThread(written) ? (written.thread ?? NEW_THREAD) : null,
        }),
    );
  },
});

/** Initial state of a thread. */
export const NEW_THREAD: ThreadState = {
  archived: false,
  auto_archive_duration: 1440,
  archive_timestamp: null,
  locked: false,
  invitable: true,
};

/** Fields of a thread only. */
interface ThreadState {
  readonly archived: boolean;
  readonly auto_archive_duration: number;
  readonly archive_timestamp: string | null;
  readonly locked: boolean;
  readonly invitable: boolean;
  readonly applied_tags?: readonly string[] | undefined;
}

/** A channel as it is stored. */
export type ChannelRecord = RowOf<typeof channels>;

/** Type of a channel by the name in a fixture. */
export function channelTypeName({ type }: { readonly type: number }): string {
  return Object.entries(channelTypes).find(([, one]) => one === type)?.[0] ?? String(type);
}

/** Whether a channel has voice: guild voice or stage. */
export function hasVoice({ type }: { readonly type: number }): boolean {
  return type === channelTypes.voice || type === channelTypes.stage;
}

/** Whether a channel is a stage, where members listen until they may speak. */
export function isStage({ type }: { readonly type: number }): boolean {
  return type === channelTypes.stage;
}

/** Whether a channel is a thread of another channel. */
export function isThread({ type }: { readonly type: number }): boolean {
  return type >= channelTypes.announcement_thread && type <= channelTypes.private_thread;
}

/** Whether a channel is a category. */
export function isCategory({ type }: { readonly type: number }): boolean {
  return type === channelTypes.category;
}

/** Whether a channel has a topic: all but categories and threads. */
export function hasTopic(channel: { readonly type: number }): boolean {
  return !isCategory(channel) && !isThread(channel);
}

/** Whether a channel can contain threads. */
export function holdsThreads({ type }: { readonly type: number }): boolean {
  const { text, announcement, forum, media } = channelTypes;
  return type === text || type === announcement || type === forum || type === media;
}

/** Whether a channel contains only posts: a forum, or a media channel. */
export function isForum({ type }: { readonly type: number }): boolean {
  return type === channelTypes.forum || type === channelTypes.media;
}

/** Whether a guild's channel can contain messages: text, announcement, or a thread. */
export function hasText(channel: { readonly type: number }): boolean {
  const { type } = channel;
  return type === channelTypes.text || type === channelTypes.announcement || isThread(channel);
}

/** Whether a channel can have webhooks. They write in the channel, or in posts that they create. */
export function holdsWebhooks({ type }: { readonly type: number }): boolean {
  return holdsThreads({ type });
}

/** A channel with voice. */
export const withVoice: RecordConstraint = { name: 'voice', of: hasVoice };
/** Constraint for a field that must refer to a channel that can contain messages. */
export const withText: RecordConstraint = { name: 'messages', of: hasText };

/** What the deleted messages of a channel leave behind. Restored states do not contain it. */
export const deletedMessages = defineRecord({
  name: 'deleted_messages',
  noun: 'deleted messages of a channel',
  key: ['channel'],
  transient: true,
  references: { channel: { to: 'channels', or: 'private_channels', onRemoval: 'remove' } },
  schema: ({ table, anyText, count }: SchemaParts) =>
    table({
      channel: anyText(),
      /** Id of the newest deleted message. */
      newest: anyText(),
      count: count(2 ** 31 - 1),
    }),
});
