import { defineCommand } from '../command.ts';
import { anyOf } from '../scope.ts';
import { noArgs } from '../shapes/common.ts';
import { channel } from '../shapes/guild.ts';
import { voiceSettings, voiceSettingsPatch } from '../shapes/voice.ts';

/** The user's voice settings, complete. */
export const GET_VOICE_SETTINGS = defineCommand({
  scope: anyOf('rpc', 'rpc.voice.read'),
  args: noArgs,
  result: voiceSettings,
});

/** Changes the given fields only; answers with the complete settings. */
export const SET_VOICE_SETTINGS = defineCommand({
  scope: anyOf('rpc', 'rpc.voice.write'),
  args: voiceSettingsPatch,
  result: voiceSettings,
});

/** The voice channel the user is in, or null. */
export const GET_SELECTED_VOICE_CHANNEL = defineCommand({
  scope: anyOf('rpc', 'rpc.voice.read'),
  args: noArgs,
  result: () => channel().nullable(),
  trim: { list: 'messages', keep: 'last' },
});
