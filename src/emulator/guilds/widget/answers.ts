import * as z from 'zod';
import { namedShape } from '../../api/fields.ts';
import { inChannel } from '../../api/permissions/evaluate.ts';
import type { Reading } from '../../api/world.ts';
import { bitsOf } from '../../kernel/permission-bits.ts';
import { isCustomStatus, presenceOf } from '../../users/presence/statuses.ts';
import { hasVoice } from '../channels/records.ts';
import { onlineIn } from '../members/list.ts';
import type { Guild } from '../records.ts';

/** Limit of the listed members. */
const MAX_MEMBERS = 100;
const SEEN = bitsOf('VIEW_CHANNEL', 'CONNECT');

/** Widget of a guild for web pages. */
export const widgetShape = namedShape('GuildWidget', {
  id: z.string(),
  name: z.string(),
  instant_invite: z.nullable(z.string()),
  channels: z.array(z.object({ id: z.string(), name: z.string(), position: z.int() })),
  members: z.array(
    z.object({
      id: z.string(),
      username: z.string(),
      discriminator: z.string(),
      avatar: z.null(),
      status: z.string(),
      avatar_url: z.string(),
      activity: z.optional(z.object({ name: z.string() })),
      deaf: z.optional(z.boolean()),
      mute: z.optional(z.boolean()),
      self_deaf: z.optional(z.boolean()),
      self_mute: z.optional(z.boolean()),
      suppress: z.optional(z.boolean()),
      channel_id: z.optional(z.string()),
    }),
  ),
  presence_count: z.int(),
});

/** Widget of a guild for web pages. It contains no user ids, and only voice channels that @everyone may join. */
export function widgetAnswer(tables: Reading, guild: Guild): z.output<typeof widgetShape> {
  const channels = [...tables.channels.by('guild', guild.id)]
    .filter((channel) => hasVoice(channel) && isOpen(tables, guild, channel.id))
    .sort((a, b) => a.position - b.position);
  const online = onlineIn(tables, guild);
  return {
    id: guild.id,
    name: guild.name,
    instant_invite: inviteOf(tables, guild),
    channels: channels.map(({ id, name, position }) => ({ id, name, position })),
    members: online.slice(0, MAX_MEMBERS).map(({ user, status }, index) => {
      const account = tables.users.get(user);
      const nick = tables.members.get(guild.id, user)?.nick;
      const voice = tables.voice_states.get(user);
      const isVisible = voice !== undefined && channels.some(({ id }) => id === voice.channel);
      // A page is for everyone, so it has no custom status.
      const playing = presenceOf(tables, user).activities.find((one) => !isCustomStatus(one))?.name;
      return {
        id: String(index),
        username: nick ?? account?.global_name ?? account?.username ?? '',
        discriminator: '0000',
        avatar: null,
        status,
        avatar_url: `https://cdn.discordapp.com/embed/avatars/${(BigInt(user) >> 22n) % 6n}.png`,
        ...(typeof playing === 'string' ? { activity: { name: playing } } : {}),
        ...(isVisible
          ? {
              deaf: voice.deaf,
              mute: voice.mute,
              self_deaf: voice.self_deaf,
              self_mute: voice.self_mute,
              suppress: voice.suppress,
              channel_id: voice.channel,
            }
          : {}),
      };
    }),
    presence_count: online.length,
  };
}

function isOpen({ roles, role_overwrites: overwrites }: Reading, guild: Guild, channelId: string): boolean {
  const overwrite = overwrites.get(channelId, guild.id);
  const everyone =
    overwrite === undefined ? undefined : { allow: BigInt(overwrite.allow), deny: BigInt(overwrite.deny) };
  const bits = inChannel(
    { isOwner: false, everyone: BigInt(roles.get(guild.id)?.permissions ?? 0), roles: [], isTimedOut: false },
    { kind: 'voice', overwrites: { everyone, roles: [] } },
  );
  return (bits & SEEN) === SEEN;
}

/** A permanent invite to the widget's channel that has no target users. */
function inviteOf({ channel_invites: invites }: Reading, { widget_channel: channel }: Guild): string | null {
  if (channel === null) return null;
  const found = [...invites.by('channel', channel)].find(
    ({ max_age, max_uses, temporary, targeted, roles }) =>
      max_age === 0 && max_uses === 0 && !temporary && !targeted && roles.length === 0,
  );
  return found === undefined ? null : `https://discord.com/invite/${found.code}`;
}
