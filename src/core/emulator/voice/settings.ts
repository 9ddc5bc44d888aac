import type { Emulator } from '../../../emulator/compose/emulator.ts';
import { SettingError } from '../../../emulator/kernel/errors.ts';
import { ErrorCode } from '../../../protocol/error-code.ts';
import { RpcError } from '../../../protocol/errors.ts';
import type { CoreHandlers } from '../../core.ts';
import type { AppSession } from '../app-session.ts';
import { requireOther } from '../refusals.ts';
import { voiceSettings } from './shapes.ts';

/** Commands on voice settings: those of users, and those of this application. */
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
