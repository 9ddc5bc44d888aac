import * as z from 'zod';
import { defineEvent } from '../event.ts';
import { allOf, anyOf, LOCAL_SCOPE } from '../scope.ts';
import { noArgs, snowflake } from '../shapes/common.ts';
import { voiceState } from '../shapes/guild.ts';
import { voiceSettings } from '../shapes/voice.ts';

const readsVoice = anyOf('rpc', 'rpc.voice.read');
const ofChannel = () => z.object({ channel_id: snowflake() });

/** The voice settings, complete, after any change. */
export const VOICE_SETTINGS_UPDATE = defineEvent({
  kind: 'state',
  scope: readsVoice,
  about: ['voice settings'],
  args: noArgs,
  data: voiceSettings,
});

/** What SET_VOICE_SETTINGS_2 and SET_USER_VOICE_SETTINGS_2 made of the settings for this application. */
export const VOICE_SETTINGS_UPDATE_2 = defineEvent({
  kind: 'state',
  scope: anyOf(LOCAL_SCOPE),
  args: noArgs,
  data: () =>
    z.looseObject({
      input_mode: z.looseObject({ type: z.string(), shortcut: z.string() }),
      local_mutes: z.array(z.string()),
      local_volumes: z.record(z.string(), z.number()),
      self_mute: z.boolean(),
      self_deaf: z.boolean(),
    }),
});

/** The user joined or left (`channel_id: null`) a voice channel. Not replayed. */
export const VOICE_CHANNEL_SELECT = defineEvent({
  scope: anyOf('rpc'),
  about: ['voice channels'],
  args: noArgs,
  data: () => z.looseObject({ channel_id: z.nullable(z.string()), guild_id: z.nullish(z.string()) }),
});

/** Somebody joined the channel. Error 4005. */
export const VOICE_STATE_CREATE = defineEvent({
  scope: readsVoice,
  about: ['voice channels'],
  args: ofChannel,
  data: voiceState,
});

/** Somebody's state in the channel changed; replayed once per member. Error 4005. */
export const VOICE_STATE_UPDATE = defineEvent({
  kind: 'state',
  scope: readsVoice,
  about: ['voice channels'],
  args: ofChannel,
  data: voiceState,
});

/** Somebody left the channel. Error 4005. */
export const VOICE_STATE_DELETE = defineEvent({
  scope: readsVoice,
  about: ['voice channels'],
  args: ofChannel,
  data: voiceState,
});

/** The voice connection; `pings` in ms, `hostname` null while there is no endpoint. */
export const VOICE_CONNECTION_STATUS = defineEvent({
  kind: 'state',
  scope: readsVoice,
  about: ['voice channels'],
  args: noArgs,
  data: () =>
    z.looseObject({
      state: z.enum([
        'DISCONNECTED',
        'AWAITING_ENDPOINT',
        'AUTHENTICATING',
        'CONNECTING',
        'CONNECTED',
        'VOICE_DISCONNECTED',
        'VOICE_CONNECTING',
        'VOICE_CONNECTED',
        'NO_ROUTE',
        'ICE_CHECKING',
        'DTLS_CONNECTING',
      ]),
      hostname: z.nullable(z.string()),
      pings: z.array(z.looseObject({ time: z.number(), value: z.number() })).check(z.maxLength(200)),
      average_ping: z.optional(z.number()),
      last_ping: z.optional(z.number()),
    }),
});

const speaking = {
  scope: anyOf('rpc', 'rpc.voice.read', LOCAL_SCOPE),
  about: ['talking'],
  args: () => z.object({ channel_id: z.nullish(snowflake()) }),
  data: () => z.looseObject({ channel_id: z.string(), user_id: z.string() }),
} as const;

/** Somebody began to speak; without `channel_id` in whatever channel the user is in. */
export const SPEAKING_START = defineEvent(speaking);

/** Somebody stopped speaking. */
export const SPEAKING_STOP = defineEvent(speaking);

/** Whether the user shares a screen. A local program needs the user's consent, too (protocol 4.9). */
export const SCREENSHARE_STATE_UPDATE = defineEvent({
  kind: 'state',
  scope: allOf(LOCAL_SCOPE, 'rpc.screenshare.read'),
  about: ['screen share'],
  args: noArgs,
  data: () =>
    z.looseObject({
      active: z.boolean(),
      pid: z.nullable(z.int()),
      application: z.nullable(z.looseObject({ name: z.string() })),
    }),
});

/** Whether the user's camera is on. A local program needs the user's consent, too (protocol 4.9). */
export const VIDEO_STATE_UPDATE = defineEvent({
  kind: 'state',
  scope: allOf(LOCAL_SCOPE, 'rpc.video.read'),
  about: ['camera'],
  args: noArgs,
  data: () => z.looseObject({ active: z.boolean() }),
});
