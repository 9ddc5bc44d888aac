import type * as z from 'zod';
import type { Reading } from '../../api/world.ts';
import { mayView } from '../../guilds/channels/access.ts';
import { hasVoice } from '../../guilds/channels/records.ts';
import type { Guild } from '../../guilds/records.ts';
import type { channelInfoShape } from './dispatches.ts';

/** The only channel type that has a status; stage channels have none. */
const VOICE = 2;

/** A session's request for information about the voice channels of a guild. */
interface ChannelInfoRequest {
  readonly fields: readonly string[];
  readonly nonce?: string | null | undefined;
}

/** The requested fields of the voice channels that a user can view. */
export function channelInfo(
  tables: Reading,
  guild: Guild,
  user: string,
  { fields, nonce }: ChannelInfoRequest,
): z.output<typeof channelInfoShape> {
  const isRequested = (field: string): boolean => fields.includes(field);
  return {
    guild_id: guild.id,
    channels: [...tables.channels.by('guild', guild.id)]
      .filter((channel) => hasVoice(channel) && mayView(tables, channel, user))
      .map(({ id, type, status, voice_start_time: start }) => ({
        id,
        ...(isRequested('status') && type === VOICE ? { status: status ?? null } : {}),
        ...(isRequested('voice_start_time')
          ? { voice_start_time: start === undefined ? null : Math.floor(Date.parse(start) / 1000) }
          : {}),
      }))
      .filter((channel) => Object.keys(channel).length > 1),
    ...(typeof nonce === 'string' ? { nonce } : {}),
  };
}
