import type { Clock } from '../../emulator/clock.ts';
import type { Emulator } from '../../emulator/emulator.ts';
import { SettingError } from '../../emulator/errors.ts';
import { RpcError } from '../../protocol/errors.ts';
import { ErrorCode } from '../../wire/codes.ts';
import type { CoreHandlers } from '../core.ts';
import type { AppSession } from './app-session.ts';
import { invalidChannel, requireOther } from './refusals.ts';
import { rpcChannel } from './shapes-channel.ts';
import { rpcSound, voiceSettings } from './shapes-voice.ts';
import { takeTime } from './take-time.ts';

/** The commands about voice settings, as of everybody and of this application. */
export function voiceSettingsHandlers(emulator: Emulator, session: AppSession): CoreHandlers {
  return {
    GET_VOICE_SETTINGS: () => voiceSettings(emulator),
    SET_VOICE_SETTINGS(patch) {
      try {
        emulator.setVoiceSettings(patch);
        return voiceSettings(emulator);
      } catch (error) {
        if (!(error instanceof SettingError)) throw error;
        throw new RpcError(ErrorCode.INVALID_PAYLOAD, `args.${error.message}`);
      }
    },
    SET_VOICE_SETTINGS_2(patch) {
      emulator.playback.setForApplication(session.clientId, patch);
      return null;
    },
    SET_USER_VOICE_SETTINGS({ user_id, ...patch }) {
      requireOther(emulator, user_id);
      const { volume, pan, mute } = emulator.playback.set(user_id, patch);
      return { user_id, pan: { ...pan }, volume, mute };
    },
    SET_USER_VOICE_SETTINGS_2({ user_id, ...patch }) {
      requireOther(emulator, user_id);
      emulator.playback.setUserForApplication(session.clientId, user_id, patch);
      return null;
    },
    SET_CERTIFIED_DEVICES({ devices }) {
      const known = new Set(devices.map(({ id }) => id));
      session.certifiedDevices = devices.map((device) => ({
        ...device,
        related: device.related.filter((id) => known.has(id)),
      }));
      return null;
    },
  };
}

/** The commands about the call the user is in; `pressing` holds the apps that keep the push-to-talk key down. */
export function callHandlers(
  emulator: Emulator,
  pressing: Set<AppSession>,
  session: AppSession,
  clock: Clock,
): CoreHandlers {
  return {
    GET_SELECTED_VOICE_CHANNEL(_args, { scopes }) {
      const channel = emulator.selectedVoiceChannel();
      return channel === null ? null : rpcChannel(emulator, channel, scopes);
    },
    async SELECT_VOICE_CHANNEL({ channel_id, force, timeout }, { signal, scopes }) {
      if (channel_id === null) return emulator.selectVoiceChannel(null) as null;
      requireJoinable(emulator, channel_id, force ?? false);
      const { select_delay_ms: takes } = emulator.client.state;
      const late = new RpcError(
        ErrorCode.SELECT_CHANNEL_TIMED_OUT,
        'The voice channel was not joined in time',
      );
      await takeTime({ clock, takes, timeout, signal }, late);
      // Much may have happened meanwhile.
      requireJoinable(emulator, channel_id, force ?? false);
      const joined = emulator.selectVoiceChannel(channel_id);
      return joined === null ? null : rpcChannel(emulator, joined, scopes);
    },
    PUSH_TO_TALK({ active }) {
      if (active) pressing.add(session);
      else pressing.delete(session);
      // The user speaks as long as some app keeps the key down.
      emulator.calls.pushToTalk(pressing.size > 0);
      return null;
    },
    GET_SOUNDBOARD_SOUNDS: () => emulator.client.sounds().map(rpcSound),
    PLAY_SOUNDBOARD_SOUND({ sound_id, guild_id }) {
      const sound = emulator.client
        .sounds()
        .map(rpcSound)
        .find((one) => one.sound_id === sound_id && (!guild_id || one.guild_id === guild_id));
      if (!sound?.available) {
        throw new RpcError(
          ErrorCode.INVALID_SOUND,
          'sound_id: GET_SOUNDBOARD_SOUNDS names the sounds there are',
        );
      }
      const channel = emulator.selectedVoiceChannel();
      if (channel === null) throw invalidChannel('the user is in no voice channel to play to');
      emulator.client.play(sound.sound_id, channel.id);
      return null;
    },
  };
}

const REASONS = {
  'no-voice': 'the channel is not a voice channel',
  full: 'the channel is full',
} as const;

/** @throws RpcError 4005, or 5003 when the user is in another channel and `force` is not set. */
function requireJoinable(emulator: Emulator, channelId: string, force: boolean): void {
  const checked = emulator.calls.check(emulator.me().id, channelId);
  if (checked.kind === 'no-voice' || checked.kind === 'full') throw invalidChannel(REASONS[checked.kind]);
  if (checked.kind !== 'found') throw invalidChannel(`the user sees no channel ${channelId}`);
  const current = emulator.selectedVoiceChannel();
  if (current !== null && current.id !== channelId && !force) {
    throw new RpcError(
      ErrorCode.SELECT_VOICE_FORCE_REQUIRED,
      'The user is in another voice channel; force: true moves them',
    );
  }
}
