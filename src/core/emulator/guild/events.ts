import type { Change } from '../../../emulator/compose/change.ts';
import type { Shared } from '../app-session.ts';
import { ownMember, partialChannel, partialGuild } from './shapes.ts';

/** Turns a change of guilds, channels and own membership into events. */
export function tellGuilds(change: Change, { emulator, host }: Shared): void {
  switch (change.type) {
    case 'guild-created':
      host.emit('GUILD_CREATE', { id: change.guild.id, name: change.guild.name });
      return;
    case 'guild-updated':
      host.emit(
        'GUILD_STATUS',
        { guild: partialGuild(change.guild), online: 0 },
        { filter: { guild_id: change.guild.id } },
      );
      return;
    case 'channel-created':
      host.emit('CHANNEL_CREATE', partialChannel(change.channel));
      return;
    case 'member-updated':
      if (change.member.user !== emulator.me().id) return;
      host.emit('CURRENT_GUILD_MEMBER_UPDATE', ownMember(emulator, change.guildId), {
        filter: { guild_id: change.guildId },
      });
      return;
    default:
      return;
  }
}
