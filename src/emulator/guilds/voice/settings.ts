import { SettingError } from '../../kernel/errors.ts';
import { unknownKey } from '../../kernel/unknown-key.ts';
import { checkVoiceValue, type VoiceRule, voiceRules } from './rules.ts';
import type { VoiceSettings } from './settings-schema.ts';

type Section = Readonly<Record<string, unknown>>;

function isSection(value: unknown): value is Section {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Splits a key such as `input.volume` into its section and its name. A top-level setting has no section. */
function split(key: string): { section: string | undefined; name: string } {
  const dot = key.indexOf('.');
  return dot < 0
    ? { section: undefined, name: key }
    : { section: key.slice(0, dot), name: key.slice(dot + 1) };
}

function read(from: Section, key: string): unknown {
  const { section, name } = split(key);
  if (section === undefined) return Object.hasOwn(from, name) ? from[name] : undefined;
  const inner = Object.hasOwn(from, section) ? from[section] : undefined;
  if (inner === undefined) return undefined;
  if (!isSection(inner)) throw new SettingError(section, 'must be an object');
  return Object.hasOwn(inner, name) ? inner[name] : undefined;
}

function write(settings: VoiceSettings, key: string, value: unknown): VoiceSettings {
  const { section, name } = split(key);
  // The cast is safe: the key comes from the rule table and the value has passed its rule.
  if (section === undefined) return { ...settings, [name]: value } as VoiceSettings;
  const inner = settings[section as 'input' | 'output' | 'mode'];
  return { ...settings, [section]: { ...inner, [name]: value } } as VoiceSettings;
}

/**
 * Merges a partial object field by field and returns the complete settings; the input is not changed.
 * Keys without a rule are ignored, as the protocol does, and so is the read-only `available_devices`.
 * @throws SettingError naming the first field that is out of range; nothing is merged then.
 */
export function mergeVoiceSettings(settings: VoiceSettings, patch: unknown): VoiceSettings {
  if (!isSection(patch)) throw new SettingError('', 'voice settings must be an object');
  let merged = settings;
  for (const [key, rule] of Object.entries(voiceRules)) {
    const value = read(patch, key);
    if (value !== undefined) merged = write(merged, key, checkVoiceValue(key, rule, value, settings));
  }
  return merged;
}

const switchTexts: Readonly<Record<string, boolean>> = {
  true: true,
  on: true,
  yes: true,
  false: false,
  off: false,
  no: false,
};

function fromText(rule: VoiceRule, text: string): unknown {
  switch (rule.kind) {
    case 'switch': {
      const word = text.toLowerCase();
      return Object.hasOwn(switchTexts, word) ? switchTexts[word] : text;
    }
    case 'number':
      return text.trim() === '' ? text : Number(text);
    case 'choice':
      return text.toUpperCase();
    case 'device':
      return text;
    case 'shortcut':
      if (text === '' || text === 'none') return [];
      try {
        return JSON.parse(text) as unknown;
      } catch {
        return text;
      }
  }
}

/**
 * Sets one setting from typed text, such as `input.volume` `55`, `mute` `on` or `mode.type` `push_to_talk`. A shortcut
 * is JSON, or `none`. @throws SettingError that names the key, and for an unknown key also the most similar known one.
 */
export function setVoiceText(settings: VoiceSettings, key: string, text: string): VoiceSettings {
  const rule = Object.hasOwn(voiceRules, key) ? voiceRules[key] : undefined;
  if (rule === undefined) throw new SettingError('', unknownKey(key, Object.keys(voiceRules), 400));
  return write(settings, key, checkVoiceValue(key, rule, fromText(rule, text), settings));
}

/** Checks complete settings against all rules. @throws SettingError that names the first invalid field. */
export function checkVoiceSettings(settings: VoiceSettings): void {
  for (const [key, rule] of Object.entries(voiceRules)) {
    checkVoiceValue(key, rule, read({ ...settings }, key), settings);
  }
}
