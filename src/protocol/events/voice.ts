import * as z from 'zod';
import { defineEvent } from '../event.ts';
import { AUTHENTICATED_SCOPE, allOf, anyOf, EMBEDDED_SCOPE, LOCAL_SCOPE } from '../scope.ts';
import { noArgs, snowflake, user } from '../shapes/common.ts';
import { voiceState } from '../shapes/guild.ts';
import { voiceSettings } from '../shapes/voice.ts';

const readsVoice = anyOf('rpc', 'rpc.voice.read');
const ofChannel = () => z.object({ channel_id: snowflake() });

/** All voice settings, after any change. */
export const VOICE_SETTINGS_UPDATE = defineEvent({
  kind: 'state',
  scope: readsVoice,
  about: ['voice settings'],
  args: noArgs,
  data: voiceSettings,
});

/** Resulting settings for this application after SET_VOICE_SETTINGS_2 and SET_USER_VOICE_SETTINGS_2. */
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

/** The user joined or left (`channel_id: null`) a voice channel. The current value is not sent after SUBSCRIBE. */
export const VOICE_CHANNEL_SELECT = defineEvent({
  scope: anyOf('rpc'),
  about: ['voice channels'],
  args: noArgs,
  data: () => z.looseObject({ channel_id: z.nullable(z.string()), guild_id: z.nullish(z.string()) }),
});

/** A user joined the channel. Error 4005. */
export const VOICE_STATE_CREATE = defineEvent({
  scope: readsVoice,
  about: ['voice channels'],
  args: ofChannel,
  data: voiceState,
});

/** A user's state in the channel changed. After SUBSCRIBE, it is sent once for each user in the channel. Error 4005. */
export const VOICE_STATE_UPDATE = defineEvent({
  kind: 'state',
  scope: readsVoice,
  about: ['voice channels'],
  args: ofChannel,
  data: voiceState,
});

/** A user left the channel. Error 4005. */
export const VOICE_STATE_DELETE = defineEvent({
  scope: readsVoice,
  about: ['voice channels'],
  args: ofChannel,
  data: voiceState,
});

/** State of the voice connection; `pings` are in ms, and `hostname` is null while there is no endpoint. */
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
      pings: z.array(z.looseObject({ time: z.number(), value: z.number() })),
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

/** A user began to speak in the channel `channel_id`; without this argument, in any channel that the user is in. */
export const SPEAKING_START = defineEvent(speaking);

/** A user stopped speaking. */
export const SPEAKING_STOP = defineEvent(speaking);

const ofSession = {
  scope: anyOf(EMBEDDED_SCOPE, AUTHENTICATED_SCOPE),
  args: () => z.object({ session_id: z.string().check(z.minLength(1), z.maxLength(128)) }),
} as const;

/** Participants of a voice session. Error 4005 for a session in which the app does not take part. */
export const VOICE_SESSION_PARTICIPANTS_UPDATE = defineEvent({
  ...ofSession,
  kind: 'state',
  data: () =>
    z.looseObject({
      session_id: z.string(),
      participants: z.array(user().extend({ nickname: z.optional(z.string()) })),
    }),
});

const sessionSpeaking = {
  ...ofSession,
  data: () => z.looseObject({ session_id: z.string(), user_id: z.string() }),
} as const;

/** A user in a voice session began to speak. Error 4005. */
export const VOICE_SESSION_SPEAKING_START = defineEvent(sessionSpeaking);

/** A user in a voice session stopped speaking. Error 4005. */
export const VOICE_SESSION_SPEAKING_STOP = defineEvent(sessionSpeaking);

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
