import * as z from 'zod';
import { timestamp } from '../api/fields.ts';
import { timeOf } from '../snowflake.ts';
import type { Reading } from '../world.ts';
import { type ChannelRecord, hasText, hasVoice, isThread } from './records.ts';

const overwriteShape = z
  .object({ id: z.string(), type: z.int(), allow: z.string(), deny: z.string() })
  .meta({ id: 'PermissionOverwrite' });

/** A channel of a guild as those see it who view it. */
export const channelShape = z
  .object({
    id: z.string(),
    type: z.int(),
    guild_id: z.string(),
    name: z.string(),
    position: z.optional(z.int()),
    parent_id: z.nullable(z.string()),
    flags: z.int(),
    nsfw: z.optional(z.boolean()),
    topic: z.optional(z.nullable(z.string())),
    rate_limit_per_user: z.int(),
    last_message_id: z.optional(z.nullable(z.string())),
    bitrate: z.optional(z.int()),
    user_limit: z.optional(z.int()),
    permission_overwrites: z.optional(z.array(overwriteShape)),
    owner_id: z.optional(z.string()),
    thread_metadata: z.optional(
      z.object({
        archived: z.boolean(),
        archive_timestamp: z.string(),
        auto_archive_duration: z.int(),
        locked: z.boolean(),
        create_timestamp: z.string(),
        invitable: z.optional(z.boolean()),
      }),
    ),
  })
  .meta({ id: 'Channel' });

const ROLE = 0;
const USER = 1;
const PRIVATE_THREAD = 12;
/** What `deny` takes, as an app computes it. */
const HIDING = String((1n << 10n) | (1n << 20n));

/** What a channel says of roles and users. Whom it hides itself from is shown as denied to view it and to connect. */
function overwritesOf(tables: Reading, { id, deny }: ChannelRecord): z.output<typeof overwriteShape>[] {
  const roles = [...tables.role_overwrites.by('channel', id)];
  const users = [...tables.user_overwrites.by('channel', id)].filter(({ user }) => !deny.includes(user));
  return [
    ...roles.map((one) => ({ id: one.role, type: ROLE, allow: one.allow, deny: one.deny })),
    ...users.map((one) => ({ id: one.user, type: USER, allow: one.allow, deny: one.deny })),
    ...deny.map((user) => ({ id: user, type: USER, allow: '0', deny: HIDING })),
  ];
}

/** A channel of a guild as those see it who view it. */
export function channelAnswer(tables: Reading, channel: ChannelRecord): z.output<typeof channelShape> {
  const { id, type, guild, name, parent, flags, rate_limit_per_user } = channel;
  const [last] = tables.messages.by('channel', id).last(1);
  const common = { id, type, guild_id: guild, name, parent_id: parent, flags, rate_limit_per_user };
  const text = hasText(channel) ? { last_message_id: last?.id ?? null } : {};
  if (isThread(channel)) return { ...common, ...text, ...threadParts(channel) };
  return {
    ...common,
    ...text,
    position: channel.position,
    nsfw: channel.nsfw,
    topic: channel.topic,
    ...(hasVoice(channel) ? { bitrate: channel.bitrate, user_limit: channel.user_limit } : {}),
    permission_overwrites: overwritesOf(tables, channel),
  };
}

function threadParts({ id, type, owner, thread }: ChannelRecord): Partial<z.output<typeof channelShape>> {
  if (thread === null) return {};
  const { archived, archive_timestamp: changed, auto_archive_duration, locked, invitable } = thread;
  return {
    ...(owner === null ? {} : { owner_id: owner }),
    thread_metadata: {
      archived,
      archive_timestamp: timestamp(changed === null ? timeOf(id) : Date.parse(changed)),
      auto_archive_duration,
      locked,
      create_timestamp: timestamp(timeOf(id)),
      ...(type === PRIVATE_THREAD ? { invitable } : {}),
    },
  };
}
