import type * as z from 'zod';
import type { Reading } from '../../api/world.ts';
import { mayView } from '../../guilds/channels/access.ts';
import { hasVoice } from '../../guilds/channels/records.ts';
import type { Guild } from '../../guilds/records.ts';
import type { channelInfoShape } from './dispatches.ts';

/** Type of a channel that has a status; a stage has none. */
const VOICE = 2;

/** What a session asks of the voice channels of a guild. */
interface ChannelInfoAsked {
  readonly fields: readonly string[];
  readonly nonce?: string | null | undefined;
}

/** What was asked of the voice channels of a guild that somebody sees; null where there is nothing to say. */
export function channelInfo(
  tables: Reading,
  guild: Guild,
  user: string,
  { fields, nonce }: ChannelInfoAsked,
): z.output<typeof channelInfoShape> {
  const asks = (field: string): boolean => fields.includes(field);
  return {
    guild_id: guild.id,
    channels: [...tables.channels.by('guild', guild.id)]
      .filter((channel) => hasVoice(channel) && mayView(tables, channel, user))
      .map(({ id, type, status, voice_start_time: start }) => ({
        id,
        ...(asks('status') && type === VOICE ? { status: status ?? null } : {}),
        ...(asks('voice_start_time')
          ? { voice_start_time: start === undefined ? null : Math.floor(Date.parse(start) / 1000) }
          : {}),
      }))
      .filter((channel) => Object.keys(channel).length > 1),
    ...(typeof nonce === 'string' ? { nonce } : {}),
  };
}
