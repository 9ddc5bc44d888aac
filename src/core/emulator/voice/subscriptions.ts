import type { Emulator } from '../../../emulator/compose/emulator.ts';
import type { AppSession } from '../app-session.ts';
import { requireChannel } from '../refusals.ts';
import type { Replays } from '../replays.ts';
import { applicationVoice, connectionStatus, voiceSettings, voiceStatesOf } from './shapes.ts';

/** Current values at the start of a subscription. Throws RpcError 4005 for an unknown channel. */
export function voiceReplays(emulator: Emulator, session: AppSession): Replays {
  const inChannel = ({ channel_id }: { readonly channel_id: string }): [] => {
    requireChannel(emulator, channel_id);
    return [];
  };
  const speaking = ({ channel_id }: { readonly channel_id?: string | null | undefined }): [] => {
    if (channel_id) requireChannel(emulator, channel_id);
    return [];
  };
  return {
    SPEAKING_START: speaking,
    SPEAKING_STOP: speaking,
    VOICE_CONNECTION_STATUS: () => [connectionStatus(emulator.voiceConnection.status)],
    VOICE_SETTINGS_UPDATE: () => [voiceSettings(emulator)],
    VOICE_SETTINGS_UPDATE_2: () => [applicationVoice(emulator, session.clientId)],
    VOICE_STATE_CREATE: inChannel,
    VOICE_STATE_DELETE: inChannel,
    VOICE_STATE_UPDATE({ channel_id }) {
      requireChannel(emulator, channel_id);
      return voiceStatesOf(emulator, channel_id);
    },
  };
}
