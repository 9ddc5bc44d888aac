import { describe, expect, it } from 'vitest';
import { defaultFixture } from '../../../../src/emulator/compose/fixture/default.ts';
import { voiceRules } from '../../../../src/emulator/guilds/voice/rules.ts';
import {
  checkVoiceSettings,
  mergeVoiceSettings,
  setVoiceText,
} from '../../../../src/emulator/guilds/voice/settings.ts';
import { SettingError } from '../../../../src/emulator/kernel/errors.ts';

const { voice } = defaultFixture();

function errorOf(action: () => unknown): SettingError {
  try {
    action();
  } catch (error) {
    expect(error).toBeInstanceOf(SettingError);
    return error as SettingError;
  }
  throw new Error('expected a SettingError');
}

describe('mergeVoiceSettings', () => {
  it.each<[string, unknown]>([
    ['input.volume', 0],
    ['input.volume', 100],
    ['input.volume', 49.803_921],
    ['output.volume', 0],
    ['output.volume', 200],
    ['mode.threshold', -100],
    ['mode.threshold', 0],
    ['mode.delay', 0],
    ['mode.delay', 2000],
    ['mode.type', 'PUSH_TO_TALK'],
    ['mode.auto_threshold', false],
    ['input.device_id', 'desk-microphone'],
    ['output.device_id', 'speakers'],
    ['deaf', true],
    ['mute', true],
    ['qos', true],
  ])('accepts %s = %j and changes nothing else', (key, value) => {
    const [section, name] = key.split('.') as [keyof typeof voice, string?];
    const patch = name === undefined ? { [section]: value } : { [section]: { [name]: value } };
    const expected =
      name === undefined
        ? { ...voice, [section]: value }
        : { ...voice, [section]: { ...(voice[section] as object), [name]: value } };
    expect(mergeVoiceSettings(voice, patch)).toEqual(expected);
  });

  it.each<[string, unknown]>([
    ['input.volume', -0.001],
    ['input.volume', 100.001],
    ['input.volume', '50'],
    ['input.volume', null],
    ['input.volume', Number.NaN],
    ['input.volume', Number.POSITIVE_INFINITY],
    ['output.volume', 200.5],
    ['output.volume', -1],
    ['mode.threshold', 0.5],
    ['mode.threshold', -100.5],
    ['mode.delay', 2001],
    ['mode.delay', -1],
    ['mode.type', 'push_to_talk'],
    ['mode.type', 1],
    ['mode.auto_threshold', 'true'],
    ['input.device_id', 'speakers'],
    ['input.device_id', ''],
    ['output.device_id', 1],
    ['mute', 1],
    ['deaf', null],
    ['mode.shortcut', { type: 0, code: 1 }],
    ['mode.shortcut', Array.from({ length: 17 }, () => ({ type: 0, code: 1 }))],
  ])('refuses %s = %j and names the field', (key, value) => {
    const [section, name] = key.split('.') as [string, string?];
    const patch = name === undefined ? { [section]: value } : { [section]: { [name]: value } };
    expect(errorOf(() => mergeVoiceSettings(voice, patch)).key).toBe(key);
  });

  it.each([
    [{ code: 1 }, 'type'],
    [{ type: 4, code: 1 }, 'type'],
    [{ type: 0 }, 'code'],
    [{ type: 0, code: 1.5 }, 'code'],
    [{ type: 0, code: 1, name: 3 }, 'name'],
    [{ type: 0, code: 1, name: 'x'.repeat(65) }, 'name'],
  ])('refuses the shortcut key %j', (item, field) => {
    const patch = { mode: { shortcut: [{ type: 0, code: 1 }, item] } };
    expect(errorOf(() => mergeVoiceSettings(voice, patch)).key).toBe(`mode.shortcut[1].${field}`);
  });

  it('names a shortcut key without a name "unknown" and drops its unknown fields', () => {
    const merged = mergeVoiceSettings(voice, { mode: { shortcut: [{ type: 1, code: 4, extra: 1 }] } });
    expect(merged.mode.shortcut).toEqual([{ type: 1, code: 4, name: 'unknown' }]);
  });

  it('ignores unknown keys and the read-only devices', () => {
    const patch = {
      nope: 1,
      input: { available_devices: [], nope: 2 },
      __proto__: { mute: true },
      constructor: { mute: true },
    };
    expect(mergeVoiceSettings(voice, patch)).toEqual(voice);
    expect(mergeVoiceSettings(voice, JSON.parse('{"__proto__":{"mute":true}}'))).toEqual(voice);
  });

  it.each([null, [], 'x', 1])('refuses %j as settings', (patch) => {
    errorOf(() => mergeVoiceSettings(voice, patch));
  });

  it.each([null, [], 'x', 1])('refuses %j as a section', (section) => {
    expect(errorOf(() => mergeVoiceSettings(voice, { input: section })).key).toBe('input');
  });
});

describe('setVoiceText', () => {
  it.each([
    ['input.volume', '55', { input: { volume: 55 } }],
    ['input.volume', '49.5', { input: { volume: 49.5 } }],
    ['mute', 'true', { mute: true }],
    ['mute', 'On', { mute: true }],
    ['echo_cancellation', 'off', { echo_cancellation: false }],
    ['mode.type', 'push_to_talk', { mode: { type: 'PUSH_TO_TALK' } }],
    ['output.device_id', 'headset', { output: { device_id: 'headset' } }],
    ['mode.shortcut', '[{"type":0,"code":16}]', { mode: { shortcut: [{ code: 16 }] } }],
    ['mode.shortcut', 'none', { mode: { shortcut: [] } }],
  ])('sets %s to the text %s', (key, text, expected) => {
    expect(setVoiceText(voice, key, text)).toMatchObject(expected);
  });

  it.each([
    ['input.volume', ''],
    ['input.volume', 'loud'],
    ['input.volume', '0x200'],
    ['input.volume', '101'],
    ['mute', 'maybe'],
    ['mute', 'constructor'],
    ['mode.type', 'SHOUT'],
    ['mode.shortcut', '{'],
    ['input.device_id', 'nope'],
  ])('refuses %s %j', (key, text) => {
    expect(errorOf(() => setVoiceText(voice, key, text)).key).toBe(key);
  });

  it('names the key that was meant by a slip', () => {
    expect(errorOf(() => setVoiceText(voice, 'input.volum', '1')).message).toBe(
      'unknown key "input.volum"; the nearest known key is "input.volume"',
    );
  });

  it.each(['constructor', '__proto__', '', 'input', 'foo'])(
    'lists the keys for %j, which resembles none',
    (key) => {
      expect(errorOf(() => setVoiceText(voice, key, '1')).message).toMatch(
        /; known are input\.device_id, .*, mute$/,
      );
    },
  );
});

it('checkVoiceSettings checks complete settings against every rule', () => {
  checkVoiceSettings(voice);
  expect(Object.keys(voiceRules)).toHaveLength(16);
  expect(errorOf(() => checkVoiceSettings({ ...voice, mode: { ...voice.mode, delay: 3000 } })).key).toBe(
    'mode.delay',
  );
});
