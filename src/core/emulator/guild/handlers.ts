import type { Emulator } from '../../../emulator/compose/emulator.ts';
import { ErrorCode } from '../../../protocol/error-code.ts';
import { RpcError } from '../../../protocol/errors.ts';
import type { CoreHandlers } from '../../core.ts';
import { takeTime } from '../duration.ts';
import { invalidChannel, requireChannel, requireGuild } from '../refusals.ts';
import { rpcChannel } from './channel.ts';
import { partialChannel, partialGuild } from './shapes.ts';

const CATEGORY = 4;

/** Commands on guilds and channels. */
export function guildHandlers(emulator: Emulator): CoreHandlers {
  return {
    async GET_GUILD({ guild_id, timeout }, { signal }) {
      requireGuild(emulator, guild_id);
      const { clock, client } = emulator;
      const { guild_delay_ms: takes } = client.state;
      const late = new RpcError(ErrorCode.GET_GUILD_TIMED_OUT, 'The guild was not there in time');
      await takeTime({ clock, takes, timeout, signal }, late);
      const guild = requireGuild(emulator, guild_id);
      return { ...partialGuild(guild), members: [], vanity_url_code: guild.vanity_url_code };
    },
    GET_GUILDS: () => ({ guilds: emulator.guilds().map(partialGuild) }),
    GET_CHANNEL: ({ channel_id }, { scopes }) =>
      rpcChannel(emulator, requireChannel(emulator, channel_id), scopes),
    GET_CHANNELS({ guild_id }) {
      if (guild_id) requireGuild(emulator, guild_id);
      return { channels: emulator.channels(guild_id ?? undefined).map(partialChannel) };
    },
    GET_CHANNEL_PERMISSIONS() {
      const channel = emulator.selectedVoiceChannel();
      if (channel === null) throw invalidChannel('the user is in no voice channel');
      return { permissions: emulator.permissions(channel.id).toString() };
    },
    CREATE_CHANNEL_INVITE({ channel_id }) {
      const channel = requireChannel(emulator, channel_id);
      if (channel.type === CATEGORY) {
        throw new RpcError(
          ErrorCode.INVALID_PERMISSIONS,
          'channel_id: nobody can be invited to a category; name one of its channels',
        );
      }
      return { ...emulator.channelInvites.make(channel) };
    },
  };
}
