import * as z from 'zod';
import { defineCommand } from '../command.ts';
import { allOf, anyOf, LOCAL_SCOPE } from '../scope.ts';
import { noArgs, nothing, snowflake } from '../shapes/common.ts';
import { channel } from '../shapes/guild.ts';
import {
  certifiedDevice,
  pan,
  soundboardSound,
  userVoiceSettings,
  voiceSettings,
  voiceSettingsPatch,
} from '../shapes/voice.ts';

/** All voice settings of the user. */
export const GET_VOICE_SETTINGS = defineCommand({
  scope: anyOf('rpc', 'rpc.voice.read'),
  about: ['voice settings'],
  args: noArgs,
  result: voiceSettings,
  steady: true,
});

/** Changes only the fields that are present; the answer contains all settings. Error 4000 for a value out of range. */
export const SET_VOICE_SETTINGS = defineCommand({
  scope: anyOf('rpc', 'rpc.voice.write'),
  about: ['voice settings changed'],
  args: voiceSettingsPatch,
  result: voiceSettings,
});

/** Changes mute, deafen and input mode for this application only. */
export const SET_VOICE_SETTINGS_2 = defineCommand({
  scope: anyOf(LOCAL_SCOPE),
  args: () =>
    z.object({
      input_mode: z.optional(
        z.object({
          type: z.enum(['PUSH_TO_TALK', 'VOICE_ACTIVITY']),
          shortcut: z.string().check(z.maxLength(256)),
        }),
      ),
      self_mute: z.optional(z.boolean()),
      self_deaf: z.optional(z.boolean()),
    }),
  result: nothing,
});

/** Changes volume, pan and mute of another user. Error 4010 for an unknown user, or for the user themselves. */
export const SET_USER_VOICE_SETTINGS = defineCommand({
  scope: anyOf('rpc', 'rpc.voice.write'),
  about: ['others heard'],
  errors: [4010],
  args: () =>
    z.object({
      user_id: snowflake(),
      pan: z.optional(pan()),
      volume: z.optional(z.number().check(z.gte(0), z.lte(200))),
      mute: z.optional(z.boolean()),
    }),
  result: userVoiceSettings,
});

/** Changes another user's voice settings for this application only. Error 4010. */
export const SET_USER_VOICE_SETTINGS_2 = defineCommand({
  scope: anyOf(LOCAL_SCOPE),
  errors: [4010],
  args: () =>
    z.object({
      user_id: snowflake(),
      volume: z.optional(z.number().check(z.gte(0), z.lte(200))),
      mute: z.optional(z.boolean()),
    }),
  result: nothing,
});

/**
 * Joins a voice channel; `null` leaves the current one. Errors 4005 (no such voice channel), 5001 (timed out), 5003
 * (the user is in another channel and `force` is missing). `timeout` is in seconds.
 */
export const SELECT_VOICE_CHANNEL = defineCommand({
  scope: anyOf('rpc'),
  about: ['channels selected', 'voice channels'],
  errors: [4005, 5001, 5003],
  args: () =>
    z.object({
      channel_id: z.nullable(snowflake()),
      timeout: z.optional(z.number().check(z.gte(0), z.lte(60))),
      force: z.optional(z.boolean()),
      navigate: z.optional(z.boolean()),
    }),
  result: () => z.nullable(channel()),
});

/** The voice channel the user is in, or null. */
export const GET_SELECTED_VOICE_CHANNEL = defineCommand({
  scope: anyOf('rpc', 'rpc.voice.read'),
  about: ['voice channels'],
  args: noArgs,
  result: () => z.nullable(channel()),
});

/**
 * Opens or closes the chat of the connected guild voice channel; without `open`, the state is toggled. Error 4005 when
 * the user is in no such channel.
 */
export const TOGGLE_VOICE_CHANNEL_CHAT = defineCommand({
  scope: anyOf(LOCAL_SCOPE),
  errors: [4005],
  args: () => z.object({ open: z.optional(z.boolean()) }),
  result: () => z.looseObject({ channel_id: z.string(), chat_open: z.boolean() }),
});

/** Presses (`active: true`) or releases push to talk. */
export const PUSH_TO_TALK = defineCommand({
  scope: allOf('rpc', 'rpc.voice.write'),
  about: ['push to talk'],
  args: () => z.object({ active: z.boolean() }),
  result: nothing,
});

/** The sounds the user may play. */
export const GET_SOUNDBOARD_SOUNDS = defineCommand({
  scope: anyOf('rpc', LOCAL_SCOPE),
  about: ['sounds'],
  args: noArgs,
  result: () => z.array(soundboardSound()),
});

/**
 * Plays a sound in the connected voice channel. Errors 4018 (unknown sound), 4005 (the user is in no voice channel).
 */
export const PLAY_SOUNDBOARD_SOUND = defineCommand({
  scope: allOf('rpc', 'rpc.voice.write'),
  about: ['sounds'],
  errors: [4005, 4018],
  args: () =>
    z.object({
      guild_id: z.nullish(z.string().check(z.maxLength(20))),
      sound_id: z.optional(z.string().check(z.maxLength(20))),
    }),
  result: nothing,
});

/** Replaces the certified devices of this connection, in the order of their priority. */
export const SET_CERTIFIED_DEVICES = defineCommand({
  scope: anyOf('rpc', LOCAL_SCOPE),
  about: ['devices'],
  args: () => z.object({ devices: z.array(certifiedDevice()).check(z.maxLength(64)) }),
  result: nothing,
});
