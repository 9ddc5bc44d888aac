import type { Channel } from '../../../emulator/channels/channels.ts';
import type { Emulator } from '../../../emulator/emulator.ts';
import type { Guild } from '../../../emulator/guilds/records.ts';
import type { EventDataOf } from '../../../protocol/registry.ts';

/** Guild as GET_GUILDS and GUILD_STATUS show it. */
export function partialGuild(guild: Guild): { id: string; name: string; icon_url: string | null } {
  return { id: guild.id, name: guild.name, icon_url: guild.icon_url };
}

/** Channel as GET_CHANNELS and CHANNEL_CREATE show it. */
export function partialChannel({ id, name, type }: Channel): EventDataOf<'CHANNEL_CREATE'> {
  return { id, name, type };
}

/** The logged-in user as a member of a guild. */
export function ownMember(emulator: Emulator, guildId: string): EventDataOf<'CURRENT_GUILD_MEMBER_UPDATE'> {
  const { id } = emulator.me();
  return {
    user_id: id,
    nick: emulator.people.nick(guildId, id),
    guild_id: guildId,
    avatar: null,
    avatar_decoration_data: null,
  };
}
