import * as z from 'zod';
import { defineEvent } from '../event.ts';
import { anyOf } from '../scope.ts';
import { noArgs } from '../shapes/common.ts';
import { voiceSettings } from '../shapes/voice.ts';

/** The voice settings, complete, after any change. */
export const VOICE_SETTINGS_UPDATE = defineEvent({
  kind: 'state',
  scope: anyOf('rpc', 'rpc.voice.read'),
  args: noArgs,
  data: voiceSettings,
});

/** The user joined or left (`channel_id: null`) a voice channel. Not replayed. */
export const VOICE_CHANNEL_SELECT = defineEvent({
  scope: anyOf('rpc'),
  args: noArgs,
  data: () => z.looseObject({ channel_id: z.string().nullable(), guild_id: z.string().nullish() }),
});
