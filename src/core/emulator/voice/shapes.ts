import type { VoiceConnectionStatus } from '../../../emulator/api/signals.ts';
import type { Emulator } from '../../../emulator/compose/emulator.ts';
import type { Sound, VoiceState } from '../../../emulator/guilds/voice/records.ts';
import type { EventDataOf, ResultOf } from '../../../protocol/registry.ts';
import { rpcUser } from '../user/shapes.ts';

type RpcVoiceState = EventDataOf<'VOICE_STATE_CREATE'>;

/** A user's voice state as this client sees it; undefined when the user no longer exists. */
export function voiceState(emulator: Emulator, state: VoiceState): RpcVoiceState | undefined {
  const user = emulator.user(state.user);
  if (user === undefined) return undefined;
  const found = emulator.channel(state.channel);
  const guildId = found.kind === 'found' ? found.channel.guild_id : '';
  const { volume, pan, mute } = emulator.playback.of(state.user);
  return {
    nick: state.nick ?? emulator.accounts.nameIn(guildId, state.user),
    mute,
    volume,
    pan: { ...pan },
    voice_state: {
      mute: state.mute,
      deaf: state.deaf,
      self_mute: state.self_mute,
      self_deaf: state.self_deaf,
      suppress: state.suppress,
    },
    user: rpcUser(user),
  };
}

/** Voice states of all users in a channel. */
export function voiceStatesOf(emulator: Emulator, channelId: string): RpcVoiceState[] {
  return emulator.calls.in(channelId).flatMap((state) => voiceState(emulator, state) ?? []);
}

/**
 * The complete voice settings. The returned object is the stored record, which a change replaces and never modifies.
 */
export function voiceSettings(emulator: Emulator): EventDataOf<'VOICE_SETTINGS_UPDATE'> {
  return emulator.voiceSettings() as EventDataOf<'VOICE_SETTINGS_UPDATE'>;
}

/** One application's own voice settings. */
export function applicationVoice(
  emulator: Emulator,
  clientId: string,
): EventDataOf<'VOICE_SETTINGS_UPDATE_2'> {
  const { application: _application, ...settings } = emulator.playback.forApplication(clientId);
  return structuredClone(settings) as EventDataOf<'VOICE_SETTINGS_UPDATE_2'>;
}

/** State of the voice connection, with the average of its pings once there are any. */
export function connectionStatus(status: VoiceConnectionStatus): EventDataOf<'VOICE_CONNECTION_STATUS'> {
  const values = status.pings.map(({ value }) => value);
  const last = values.at(-1);
  return {
    state: STATES[status.state],
    hostname: status.hostname,
    pings: status.pings.map((ping) => ({ ...ping })),
    ...(last === undefined
      ? {}
      : { average_ping: values.reduce((sum, value) => sum + value, 0) / values.length, last_ping: last }),
  };
}

const STATES = {
  disconnected: 'DISCONNECTED',
  'awaiting-endpoint': 'AWAITING_ENDPOINT',
  connecting: 'CONNECTING',
  authenticating: 'AUTHENTICATING',
  'voice-connecting': 'VOICE_CONNECTING',
  'voice-connected': 'VOICE_CONNECTED',
} as const;

/** Soundboard sound in RPC form; sounds of the client itself have the guild id "0". */
export function rpcSound(sound: Sound): ResultOf<'GET_SOUNDBOARD_SOUNDS'>[number] {
  const { id, name, guild, volume, available, emoji_id, emoji_name } = sound;
  return { sound_id: id, name, guild_id: guild ?? '0', volume, available, emoji_id, emoji_name };
}
