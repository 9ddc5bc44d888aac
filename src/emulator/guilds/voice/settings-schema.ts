import type { SchemaParts, WrittenBy } from '../../kernel/state/record.ts';

/** Schema of the voice settings. */
export const settingsSchema = (parts: SchemaParts) => {
  const { section, table, list, filledList, or, flag, choice, text, anyNumber, anyText, integer } = parts;
  const device = () =>
    section({
      device_id: or(text(255), 'default'),
      /** Volume in percent: 0–100 for input, 0–200 for output; fractions are permitted. */
      volume: or(anyNumber(), 100),
      available_devices: filledList(table({ id: text(255), name: text(255) }), 256, [
        { id: 'default', name: 'Default' },
      ]),
    });
  return section({
    input: device(),
    output: device(),
    mode: section({
      type: or(choice('PUSH_TO_TALK', 'VOICE_ACTIVITY'), 'VOICE_ACTIVITY'),
      auto_threshold: flag(true),
      /** In dB, −100…0. */
      threshold: or(anyNumber(), -60),
      /** Keys of the shortcut. Their types are 0 keyboard key, 1 mouse button, 2 modifier, 3 gamepad button. */
      shortcut: list(table({ type: integer(), code: integer(), name: or(anyText(), 'unknown') }), 256),
      /** In milliseconds, 0…2000. */
      delay: or(anyNumber(), 20),
    }),
    automatic_gain_control: flag(true),
    echo_cancellation: flag(true),
    noise_suppression: flag(true),
    qos: flag(false),
    silence_warning: flag(true),
    deaf: flag(false),
    mute: flag(false),
  });
};

/** The complete voice settings. */
export type VoiceSettings = WrittenBy<typeof settingsSchema>;
/** A key of a push-to-talk shortcut. */
export type ShortcutKey = VoiceSettings['mode']['shortcut'][number];
