import * as z from 'zod';
import { once } from '../../base/once.ts';

const device = () => z.looseObject({ id: z.string(), name: z.string() });

const usedDevice = () =>
  z.looseObject({ available_devices: z.array(device()), device_id: z.string(), volume: z.number() });

const switches = () => ({
  automatic_gain_control: z.boolean(),
  echo_cancellation: z.boolean(),
  noise_suppression: z.boolean(),
  qos: z.boolean(),
  silence_warning: z.boolean(),
  deaf: z.boolean(),
  mute: z.boolean(),
});

const deviceId = () => z.string().check(z.maxLength(256));
const keyType = () => z.int().check(z.gte(0), z.lte(3));
const shortcutKey = () => z.looseObject({ type: keyType(), code: z.int(), name: z.optional(z.string()) });

/**
 * All voice settings (protocol: GET_VOICE_SETTINGS). Volumes are in percent, the threshold in dB and the delay in ms.
 */
export const voiceSettings = once(() =>
  z.looseObject({
    input: usedDevice(),
    output: usedDevice(),
    mode: z.looseObject({
      type: z.string(),
      auto_threshold: z.boolean(),
      threshold: z.number(),
      shortcut: z.array(shortcutKey()),
      delay: z.number(),
    }),
    ...switches(),
  }),
);

/** Some of the voice settings, within the documented ranges (protocol: SET_VOICE_SETTINGS). */
export const voiceSettingsPatch = once(() =>
  z
    .object({
      input: z.object({ device_id: deviceId(), volume: z.number().check(z.gte(0), z.lte(100)) }).partial(),
      output: z.object({ device_id: deviceId(), volume: z.number().check(z.gte(0), z.lte(200)) }).partial(),
      mode: z
        .object({
          type: z.enum(['PUSH_TO_TALK', 'VOICE_ACTIVITY']),
          auto_threshold: z.boolean(),
          threshold: z.number().check(z.gte(-100), z.lte(0)),
          shortcut: z
            .array(
              z.object({
                type: keyType(),
                code: z.int(),
                name: z.optional(z.string().check(z.maxLength(256))),
              }),
            )
            .check(z.maxLength(16)),
          delay: z.number().check(z.gte(0), z.lte(2000)),
        })
        .partial(),
      ...switches(),
    })
    .partial(),
);

/** Left and right, 0 to 1 each. */
export const pan = once(() =>
  z.object({
    left: z.number().check(z.gte(0), z.lte(1)),
    right: z.number().check(z.gte(0), z.lte(1)),
  }),
);

/** Answer of SET_USER_VOICE_SETTINGS; `volume` is from 0 to 200. */
export const userVoiceSettings = once(() =>
  z.looseObject({ user_id: z.string(), pan: pan(), volume: z.number(), mute: z.boolean() }),
);

/** One sound; `volume` is from 0 to 1. The client's own sounds may have the guild id "0". */
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

/** A certified device. The documents disagree whether vendor and model have a `url` or an `id`. */
export const certifiedDevice = once(() => {
  const text = () => z.string().check(z.maxLength(256));
  const url = () => z.string().check(z.maxLength(2048));
  const maker = () => z.object({ name: text(), url: z.optional(url()), id: z.optional(text()) });
  return z.object({
    type: z.enum(['audioinput', 'audiooutput', 'videoinput']),
    id: z.string().check(z.minLength(1), z.maxLength(256)),
    vendor: maker(),
    model: maker(),
    related: z.array(text()).check(z.maxLength(64)),
    echo_cancellation: z.optional(z.boolean()),
    noise_suppression: z.optional(z.boolean()),
    automatic_gain_control: z.optional(z.boolean()),
    hardware_mute: z.optional(z.boolean()),
  });
});
