import { SettingError } from '../../kernel/errors.ts';
import type { ShortcutKey, VoiceSettings } from './settings-schema.ts';

/** Rule for the values that one voice setting accepts. */
export type VoiceRule =
  | { readonly kind: 'switch' }
  | { readonly kind: 'number'; readonly min: number; readonly max: number }
  | { readonly kind: 'device'; readonly side: 'input' | 'output' }
  | { readonly kind: 'choice'; readonly values: readonly string[] }
  | { readonly kind: 'shortcut' };

/**
 * Rules of all writable voice settings, by dotted key. The ranges come from the voice settings table of the RPC
 * reference.
 */
export const voiceRules: Readonly<Record<string, VoiceRule>> = {
  'input.device_id': { kind: 'device', side: 'input' },
  'input.volume': { kind: 'number', min: 0, max: 100 },
  'output.device_id': { kind: 'device', side: 'output' },
  'output.volume': { kind: 'number', min: 0, max: 200 },
  'mode.type': { kind: 'choice', values: ['PUSH_TO_TALK', 'VOICE_ACTIVITY'] },
  'mode.auto_threshold': { kind: 'switch' },
  'mode.threshold': { kind: 'number', min: -100, max: 0 },
  'mode.shortcut': { kind: 'shortcut' },
  'mode.delay': { kind: 'number', min: 0, max: 2000 },
  automatic_gain_control: { kind: 'switch' },
  echo_cancellation: { kind: 'switch' },
  noise_suppression: { kind: 'switch' },
  qos: { kind: 'switch' },
  silence_warning: { kind: 'switch' },
  deaf: { kind: 'switch' },
  mute: { kind: 'switch' },
};

const maxShortcutKeys = 16;

function checkShortcut(key: string, value: unknown): readonly ShortcutKey[] {
  if (!Array.isArray(value)) throw new SettingError(key, 'must be an array of {type, code, name}');
  if (value.length > maxShortcutKeys) {
    throw new SettingError(key, `must hold at most ${maxShortcutKeys} keys`);
  }
  return value.map((item: unknown, index) => {
    const at = `${key}[${index}]`;
    if (typeof item !== 'object' || item === null) throw new SettingError(at, 'must be {type, code, name}');
    const { type, code, name = 'unknown' } = item as Record<string, unknown>;
    if (type !== 0 && type !== 1 && type !== 2 && type !== 3) {
      throw new SettingError(`${at}.type`, 'must be 0 (key), 1 (mouse), 2 (modifier) or 3 (gamepad)');
    }
    if (typeof code !== 'number' || !Number.isSafeInteger(code)) {
      throw new SettingError(`${at}.code`, 'must be a whole number');
    }
    if (typeof name !== 'string' || name.length > 64) {
      throw new SettingError(`${at}.name`, 'must be a text of at most 64 characters');
    }
    return { type, code, name };
  });
}

/**
 * Checks one value against the rule of its key and returns it in its stored form. No value is coerced. `settings`
 * contains the existing devices. @throws SettingError that names the key.
 */
export function checkVoiceValue(
  key: string,
  rule: VoiceRule,
  value: unknown,
  settings: VoiceSettings,
): unknown {
  switch (rule.kind) {
    case 'switch':
      if (typeof value !== 'boolean') throw new SettingError(key, 'must be true or false');
      return value;
    case 'number':
      // In this form, the condition also rejects NaN and the infinities.
      if (!(typeof value === 'number' && value >= rule.min && value <= rule.max)) {
        throw new SettingError(key, `must be a number from ${rule.min} to ${rule.max}`);
      }
      return value;
    case 'choice':
      if (typeof value !== 'string' || !rule.values.includes(value)) {
        throw new SettingError(key, `must be one of ${rule.values.join(', ')}`);
      }
      return value;
    case 'device': {
      const devices = settings[rule.side].available_devices.map((device) => device.id);
      if (typeof value !== 'string' || !devices.includes(value)) {
        throw new SettingError(key, `must be the id of an available device: ${devices.join(', ')}`);
      }
      return value;
    }
    case 'shortcut':
      return checkShortcut(key, value);
  }
}
