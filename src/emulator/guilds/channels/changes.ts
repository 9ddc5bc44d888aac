import { invalidForm } from '../../api/api-error.ts';
import { present } from '../../api/present.ts';
import type { Reading, World } from '../../api/world.ts';
import type { FieldFault } from '../../kernel/errors.ts';
import { withArchived } from '../threads/rules.ts';
import { CHANNEL_FLAGS, channelFlagsAfter } from './forum-rules.ts';
import { type ChannelRecord, hasVoice, NEW_THREAD } from './records.ts';
import type { CreateRequest, UpdateRequest } from './requests.ts';
import { voiceFaults } from './voice-limits.ts';

const CATEGORY = 4;
const ANNOUNCEMENT = 5;
const TEXT = 0;
/** Channel types whose names have neither capitals nor spaces. */
const PLAIN: readonly number[] = [TEXT, ANNOUNCEMENT, 15, 16];
const MAX_TOPIC_LENGTH = 1024;
const MAX_IN_CATEGORY = 50;

/** Converts a channel name to the form that the type requires. */
function nameFor(type: number, name: string): string {
  return PLAIN.includes(type) ? name.toLowerCase().replaceAll(/\s+/g, '-') : name;
}

type Fields = Omit<CreateRequest, 'name' | 'type'> & { readonly name?: string | undefined };

/**
 * Errors for the emojis of a forum that are unknown or belong to another guild. Emojis that the channel had before are
 * accepted, even deleted ones, because a client that changes one tag sends all tags.
 */
function emojiFaults(
  { emojis }: Reading,
  guildId: string,
  { available_tags, default_reaction_emoji: first }: Fields,
  before: ChannelRecord | undefined,
): FieldFault[] {
  const previousEmojis = [before?.default_reaction_emoji, ...(before?.available_tags ?? [])].map(
    (one) => one?.emoji_id,
  );
  const named = [
    { path: ['default_reaction_emoji'], id: first?.emoji_id },
    ...(available_tags ?? []).map(({ emoji_id: id }, index) => ({ path: ['available_tags', index], id })),
  ];
  return named
    .filter(({ id }) => id != null && !previousEmojis.includes(id) && emojis.get(id)?.guild !== guildId)
    .map(({ path }) => ({
      path: [...path, 'emoji_id'],
      code: 'EMOJI_INVALID',
      message: 'The guild has no such emoji.',
    }));
}

/** Errors for the fields of a channel, in view of its parent and its earlier state. */
function faults(
  tables: Reading,
  guildId: string,
  type: number,
  fields: Fields,
  before?: ChannelRecord,
): FieldFault[] {
  const { channels } = tables;
  const found = emojiFaults(tables, guildId, fields, before);
  found.push(...voiceFaults(tables.guilds.get(guildId), type, fields));
  const { parent_id, topic } = fields;
  if (typeof parent_id === 'string') {
    const parent = channels.get(parent_id);
    if (parent?.guild !== guildId) {
      found.push({ path: ['parent_id'], code: 'CHANNEL_PARENT_INVALID', message: 'Category does not exist' });
    } else if (parent.type !== CATEGORY || type === CATEGORY) {
      found.push({ path: ['parent_id'], code: 'CHANNEL_PARENT_INVALID_TYPE', message: 'Not a category' });
    } else if (before?.parent !== parent_id && channels.by('parent', parent_id).size >= MAX_IN_CATEGORY) {
      const message = `Maximum number of channels in category reached (${MAX_IN_CATEGORY})`;
      found.push({ path: ['parent_id'], code: 'CHANNEL_PARENT_MAX_CHANNELS', message });
    }
  }
  const maxLength = type === 15 || type === 16 ? 4096 : MAX_TOPIC_LENGTH;
  if (typeof topic === 'string' && topic.length > maxLength) {
    const message = `Must be ${maxLength} or fewer in length.`;
    found.push({ path: ['topic'], code: 'BASE_TYPE_MAX_LENGTH', message });
  }
  return found;
}

/** Fields of the channel's row that a request sets. */
function rowFields(world: World, type: number, now: number, fields: Fields): Partial<ChannelRecord> {
  const { parent_id, available_tags, default_reaction_emoji: emoji, topic, user_limit, nsfw } = fields;
  const { rate_limit_per_user, bitrate, rtc_region, name } = fields;
  const optional = <Name extends keyof ChannelRecord>(
    key: Name,
    value: ChannelRecord[Name] | null | undefined,
  ): Partial<ChannelRecord> => (value === undefined ? {} : { [key]: value ?? undefined });
  return {
    ...(name === undefined ? {} : { name: nameFor(type, name) }),
    ...(topic === undefined ? {} : { topic: topic === '' ? null : topic }),
    ...(nsfw === undefined ? {} : { nsfw: nsfw ?? false }),
    ...(rate_limit_per_user === undefined ? {} : { rate_limit_per_user: rate_limit_per_user ?? 0 }),
    ...(parent_id === undefined ? {} : { parent: parent_id }),
    ...(typeof fields.position === 'number' ? { position: fields.position } : {}),
    ...(hasVoice({ type })
      ? {
          ...(typeof bitrate === 'number' ? { bitrate } : {}),
          ...(user_limit === undefined ? {} : { user_limit: user_limit ?? 0 }),
          ...optional('rtc_region', rtc_region === '' ? null : rtc_region),
          ...optional('video_quality_mode', fields.video_quality_mode),
        }
      : {}),
    ...optional('default_auto_archive_duration', fields.default_auto_archive_duration),
    ...optional('default_thread_rate_limit_per_user', fields.default_thread_rate_limit_per_user),
    ...optional('default_sort_order', fields.default_sort_order),
    ...optional('default_forum_layout', fields.default_forum_layout),
    ...optional(
      'default_reaction_emoji',
      emoji && { emoji_id: emoji.emoji_id ?? null, emoji_name: emoji.emoji_name ?? null },
    ),
    ...optional(
      'available_tags',
      available_tags?.map((tag) => ({
        id: tag.id ?? world.ids.next(now),
        name: tag.name,
        moderated: tag.moderated ?? false,
        emoji_id: tag.emoji_id ?? null,
        emoji_name: tag.emoji_name ?? null,
      })),
    ),
  };
}

/** Builds a channel from a request without storing it. @throws ApiError 50035, 30052. */
export function newChannel(
  world: World,
  guild: string,
  { type = TEXT, ...fields }: CreateRequest,
  now: number,
): ChannelRecord {
  const { tables } = world;
  const wrong = faults(tables, guild, type, fields);
  if (wrong.length > 0) throw invalidForm(wrong);
  const positions = [...tables.channels.by('guild', guild)].map(({ position }) => position);
  return present({
    id: world.ids.next(now, (id) => tables.channels.has(id) || tables.messages.has(id)),
    guild,
    type,
    topic: null,
    bitrate: hasVoice({ type }) ? 64_000 : 0,
    user_limit: 0,
    position: Math.max(-1, ...positions) + 1,
    nsfw: false,
    parent: null,
    rate_limit_per_user: 0,
    flags: 0,
    owner: null,
    thread: null,
    deny: [],
    ...rowFields(world, type, now, fields),
    name: nameFor(type, fields.name),
  }) as ChannelRecord;
}

/** Returns a channel with the changes of a request, without storing it. @throws ApiError 50035, 30052. */
export function changedChannel(
  world: World,
  channel: ChannelRecord,
  changeRequest: UpdateRequest,
  now: number,
): ChannelRecord {
  const type = changeRequest.type ?? channel.type;
  const wrong = faults(world.tables, channel.guild, type, changeRequest, channel);
  // Only the types text and announcement can be changed, each into the other.
  if (type !== channel.type && ![type, channel.type].every((one) => one === TEXT || one === ANNOUNCEMENT)) {
    wrong.push({ path: ['type'], code: 'BASE_TYPE_CHOICES', message: 'Value must be one of {0, 5}.' });
  }
  if (wrong.length > 0) throw invalidForm(wrong);
  return present({
    ...channel,
    ...rowFields(world, type, now, changeRequest),
    type,
    flags: channelFlagsAfter(channel, changeRequest.flags),
  }) as ChannelRecord;
}

/** A thread after a change. */
export function changedThread(
  channel: ChannelRecord,
  changeRequest: UpdateRequest,
  now: number,
): ChannelRecord {
  const before = channel.thread ?? NEW_THREAD;
  const { archived = before.archived, locked = before.locked, invitable = before.invitable } = changeRequest;
  const { auto_archive_duration = before.auto_archive_duration, applied_tags = before.applied_tags } =
    changeRequest;
  const { name = channel.name, rate_limit_per_user } = changeRequest;
  const { archive_timestamp } = withArchived(before, archived, now);
  const flags = channelFlagsAfter(channel, changeRequest.flags);
  const isSameDuration = auto_archive_duration === before.auto_archive_duration;
  return present({
    ...channel,
    name,
    rate_limit_per_user: rate_limit_per_user ?? channel.rate_limit_per_user,
    // Archiving a thread also unpins it.
    flags: archived ? flags & ~CHANNEL_FLAGS.pinned : flags,
    thread: {
      archived,
      auto_archive_duration,
      // A new auto-archive duration also restarts the time of inactivity.
      archive_timestamp: isSameDuration ? archive_timestamp : new Date(now).toISOString(),
      locked,
      invitable,
      applied_tags: applied_tags ?? undefined,
    },
  }) as ChannelRecord;
}
