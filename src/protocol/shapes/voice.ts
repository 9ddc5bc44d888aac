import * as z from 'zod/mini';
import { once } from '../command.ts';

const device = () => z.looseObject({ id: z.string(), name: z.string() });

const shortcutKey = () =>
  z.looseObject({
    type: z.int().check(z.minimum(0), z.maximum(3)),
    code: z.int(),
    name: z.optional(z.string()),
  });

/** Voice settings, complete (protocol: GET_VOICE_SETTINGS). Volumes in percent, threshold in dB, delay in ms. */
export const voiceSettings = once(() =>
  z.looseObject({
    input: z.looseObject({
      available_devices: z.array(device()),
      device_id: z.string(),
      volume: z.number(),
    }),
    output: z.looseObject({
      available_devices: z.array(device()),
      device_id: z.string(),
      volume: z.number(),
    }),
    mode: z.looseObject({
      type: z.string(),
      auto_threshold: z.boolean(),
      threshold: z.number(),
      shortcut: z.array(shortcutKey()),
      delay: z.number(),
    }),
    automatic_gain_control: z.boolean(),
    echo_cancellation: z.boolean(),
    noise_suppression: z.boolean(),
    qos: z.boolean(),
    silence_warning: z.boolean(),
    deaf: z.boolean(),
    mute: z.boolean(),
  }),
);

/** Any part of the voice settings, within the documented ranges (protocol: SET_VOICE_SETTINGS). */
export const voiceSettingsPatch = once(() =>
  z.partial(
    z.object({
      input: z.partial(
        z.object({ device_id: z.string(), volume: z.number().check(z.minimum(0), z.maximum(100)) }),
      ),
      output: z.partial(
        z.object({ device_id: z.string(), volume: z.number().check(z.minimum(0), z.maximum(200)) }),
      ),
      mode: z.partial(
        z.object({
          type: z.enum(['PUSH_TO_TALK', 'VOICE_ACTIVITY']),
          auto_threshold: z.boolean(),
          threshold: z.number().check(z.minimum(-100), z.maximum(0)),
          shortcut: z.array(shortcutKey()).check(z.maxLength(16)),
          delay: z.number().check(z.minimum(0), z.maximum(2000)),
        }),
      ),
      automatic_gain_control: z.boolean(),
      echo_cancellation: z.boolean(),
      noise_suppression: z.boolean(),
      qos: z.boolean(),
      silence_warning: z.boolean(),
      deaf: z.boolean(),
      mute: z.boolean(),
    }),
  ),
);

/** Left and right, 0 to 1 each. */
export const pan = once(() =>
  z.object({
    left: z.number().check(z.minimum(0), z.maximum(1)),
    right: z.number().check(z.minimum(0), z.maximum(1)),
  }),
);

/** What SET_USER_VOICE_SETTINGS answers; `volume` 0 to 200. */
export const userVoiceSettings = once(() =>
  z.looseObject({ user_id: z.string(), pan: pan(), volume: z.number(), mute: z.boolean() }),
);

/** One sound; the client's own sounds may have the guild id "0". `volume` 0 to 1. */
export const soundboardSound = once(() =>
  z.looseObject({
    sound_id: z.string(),
    name: z.string(),
    guild_id: z.string(),
    volume: z.number(),
    available: z.boolean(),
    emoji_id: z.nullable(z.string()),
    emoji_name: z.nullable(z.string()),
  }),
);

/** A certified device; the documents disagree whether vendor and model carry a `url` or an `id`. */
export const certifiedDevice = once(() => {
  const maker = () => z.looseObject({ name: z.string().check(z.maxLength(256)) });
  return z.looseObject({
    type: z.enum(['audioinput', 'audiooutput', 'videoinput']),
    id: z.string().check(z.minLength(1), z.maxLength(256)),
    vendor: maker(),
    model: maker(),
    related: z.array(z.string().check(z.maxLength(256))).check(z.maxLength(64)),
    echo_cancellation: z.optional(z.boolean()),
    noise_suppression: z.optional(z.boolean()),
    automatic_gain_control: z.optional(z.boolean()),
    hardware_mute: z.optional(z.boolean()),
  });
});
