import type { Channel, Guild, User } from '../../emulator/fixture/fixture.ts';
import type { EventDataOf, ResultOf } from '../../protocol/registry.ts';
import type { Ready } from '../core.ts';

/** User as RPC shows it. `premium` says whether the token may see the subscription tier. */
export function rpcUser(user: User, premium: boolean): EventDataOf<'CURRENT_USER_UPDATE'> {
  return {
    id: user.id,
    username: user.username,
    discriminator: user.discriminator,
    global_name: user.global_name,
    avatar: user.avatar,
    avatar_decoration_data: null,
    bot: user.bot,
    flags: user.flags,
    premium_type: premium ? user.premium_type : 0,
  };
}

/** `data` of READY, with every field that some client reads unconditionally. */
export function readyFor(user: User): Ready {
  return {
    v: 1,
    config: {
      cdn_host: 'cdn.discordapp.com',
      // Java clients tell the release channel from this value.
      api_endpoint: '//discord.com/api',
      environment: 'production',
    },
    user: rpcUser(user, false),
  };
}

/** Guild as GET_GUILDS and GUILD_STATUS show it. */
export function partialGuild(guild: Guild): { id: string; name: string; icon_url: string | null } {
  return { id: guild.id, name: guild.name, icon_url: guild.icon_url };
}

/** Channel as GET_CHANNEL shows it. */
export function rpcChannel(channel: Channel): ResultOf<'GET_CHANNEL'> {
  return {
    id: channel.id,
    name: channel.name,
    type: channel.type,
    topic: channel.topic,
    bitrate: channel.bitrate,
    user_limit: channel.user_limit,
    guild_id: channel.guild_id,
    position: channel.position,
    messages: [],
    voice_states: [],
  };
}
