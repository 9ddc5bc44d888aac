import type { Emulator } from '../../emulator/emulator.ts';
import { SettingError } from '../../emulator/errors.ts';
import type { Channel, Guild } from '../../emulator/fixture/fixture.ts';
import { RpcError } from '../../protocol/errors.ts';
import { ErrorCode } from '../../wire/codes.ts';
import type { CoreHandlers } from '../core.ts';
import { partialGuild, rpcChannel } from './shapes.ts';

/** The commands that read and change the emulator's guilds, channels and voice settings. */
export function stateHandlers(emulator: Emulator): CoreHandlers {
  return {
    GET_GUILD: ({ guild_id }) => {
      const guild = requireGuild(emulator, guild_id);
      return { ...partialGuild(guild), members: [], vanity_url_code: guild.vanity_url_code };
    },
    GET_GUILDS: () => ({ guilds: emulator.guilds().map(partialGuild) }),
    GET_CHANNEL: ({ channel_id }) => rpcChannel(requireChannel(emulator, channel_id)),
    GET_CHANNELS: ({ guild_id }) => {
      if (guild_id) requireGuild(emulator, guild_id);
      const channels = emulator.channels(guild_id ?? undefined);
      return { channels: channels.map(({ id, name, type }) => ({ id, name, type })) };
    },
    GET_VOICE_SETTINGS: () => structuredClone(emulator.voiceSettings()) as VoiceSettingsResult,
    SET_VOICE_SETTINGS: (patch) => {
      try {
        return structuredClone(emulator.setVoiceSettings(patch)) as VoiceSettingsResult;
      } catch (error) {
        if (error instanceof SettingError)
          throw new RpcError(ErrorCode.INVALID_PAYLOAD, `args.${error.message}`);
        throw error;
      }
    },
    GET_SELECTED_VOICE_CHANNEL: () => {
      const channel = emulator.selectedVoiceChannel();
      return channel === null ? null : rpcChannel(channel);
    },
  };
}

type VoiceSettingsResult = Awaited<ReturnType<NonNullable<CoreHandlers['GET_VOICE_SETTINGS']>>>;

/** @throws RpcError 4003 */
export function requireGuild(emulator: Emulator, id: string): Guild {
  const guild = emulator.guild(id);
  if (guild !== undefined) return guild;
  throw new RpcError(ErrorCode.INVALID_GUILD, `guild_id: the user is in no guild ${id}`);
}

/** A channel that the user cannot view is told like one that does not exist. @throws RpcError 4005 */
export function requireChannel(emulator: Emulator, id: string): Channel {
  const found = emulator.channel(id);
  if (found.kind === 'found') return found.channel;
  throw new RpcError(ErrorCode.INVALID_CHANNEL, `channel_id: the user sees no channel ${id}`);
}
