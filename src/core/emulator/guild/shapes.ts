import type { Emulator } from '../../../emulator/compose/emulator.ts';
import type { Channel } from '../../../emulator/guilds/channels/channels.ts';
import type { Guild } from '../../../emulator/guilds/records.ts';
import type { EventDataOf } from '../../../protocol/registry.ts';
import { CDN_HOST } from '../user/shapes.ts';

/** Guild in the form of GET_GUILDS and GUILD_STATUS. */
export function partialGuild(guild: Guild): { id: string; name: string; icon_url: string | null } {
  const { id, name, icon, icon_url } = guild;
  return {
    id,
    name,
    icon_url: icon_url ?? (icon === null ? null : `https://${CDN_HOST}/icons/${id}/${icon}.png?size=128`),
  };
}

/** Channel in the form of GET_CHANNELS and CHANNEL_CREATE. */
export function partialChannel({
  id,
  name,
  type,
}: Pick<Channel, 'id' | 'name' | 'type'>): EventDataOf<'CHANNEL_CREATE'> {
  return { id, name, type };
}

/** The logged-in user as a member of a guild. */
export function ownMember(emulator: Emulator, guildId: string): EventDataOf<'CURRENT_GUILD_MEMBER_UPDATE'> {
  const { id } = emulator.me();
  const member = emulator.tables.members.get(guildId, id);
  const color = emulator.accounts.colorIn(guildId, id);
  return {
    user_id: id,
    nick: member?.nick ?? null,
    guild_id: guildId,
    avatar: member?.avatar ?? null,
    avatar_decoration_data: null,
    banner: member?.banner ?? null,
    bio: member?.bio ?? '',
    ...(color === undefined ? {} : { color_string: color }),
  };
}
