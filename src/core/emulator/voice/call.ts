import type { Emulator } from '../../../emulator/compose/emulator.ts';
import { ErrorCode } from '../../../protocol/error-code.ts';
import { RpcError } from '../../../protocol/errors.ts';
import type { CoreHandlers } from '../../core.ts';
import type { AppSession } from '../app-session.ts';
import { invalidChannel } from '../refusals.ts';
import { rpcSound } from './shapes.ts';

/** Commands on the current call; `pressing` contains the apps that hold the push-to-talk key down. */
export function callHandlers(
  emulator: Emulator,
  pressing: Set<AppSession>,
  session: AppSession,
): CoreHandlers {
  return {
    PUSH_TO_TALK({ active }) {
      if (active) pressing.add(session);
      else pressing.delete(session);
      // The user speaks while any app holds the key down.
      emulator.calls.pushToTalk(pressing.size > 0);
      return null;
    },
    TOGGLE_VOICE_CHANNEL_CHAT({ open }) {
      const channel = emulator.selectedVoiceChannel();
      if (channel === null) throw invalidChannel('the user is in no guild voice channel');
      const { id: channel_id } = channel;
      const chat_open = open ?? emulator.client.state.voice_chat !== channel_id;
      emulator.client.set({ voice_chat: chat_open ? channel_id : null });
      return { channel_id, chat_open };
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
