import { byDigest, storedFile } from '../../files/stored-records.ts';
import { SettingError } from '../../kernel/errors.ts';
import { defineRecord, type RecordFault, type RowOf, type SchemaParts } from '../../kernel/state/record.ts';
import { withVoice } from '../channels/records.ts';
import { checkVoiceSettings } from './settings.ts';
import { settingsSchema, type VoiceSettings } from './settings-schema.ts';

/** The complete voice settings, in the shape of the command GET_VOICE_SETTINGS. */
export const voice = defineRecord({
  name: 'voice',
  noun: 'voice settings',
  about: 'the voice settings, as GET_VOICE_SETTINGS shows them',
  singleton: true,
  schema: settingsSchema,
  // The rules in voice/rules.ts check ranges and devices, so the schema does not repeat them.
  check: faultOfSettings,
});

/** A user in a voice channel. A user can be in only one channel at a time. */
export const voiceStates = defineRecord({
  name: 'voice_states',
  noun: 'voice state',
  about: 'who talks where: `request_to_speak` is a time',
  key: ['user'],
  references: {
    user: { to: 'users', onRemoval: 'remove' },
    channel: { to: 'channels', onRemoval: 'remove', needs: withVoice },
  },
  schema: ({ table, text, snowflake, orNull, flag, optional, moment }: SchemaParts) =>
    table({
      user: text(64),
      channel: snowflake(),
      /** Nickname in the voice channel; null for the usual name. */
      nick: orNull(text(32)),
      /** Muted by a moderator. */
      mute: flag(false),
      deaf: flag(false),
      /** Muted or deafened by the user's own choice. For the logged-in user, both follow the voice settings. */
      self_mute: flag(false),
      self_deaf: flag(false),
      /** True for a user on a stage who may not speak. */
      suppress: flag(false),
      speaking: flag(false),
      /** On a stage: time of the request to speak or, for a user who may speak, of the invitation. */
      request_to_speak: optional(moment()),
    }),
});

/** Playback of another user in this client only. */
export const userVoice = defineRecord({
  name: 'user_voice',
  noun: 'volume of a user',
  about: 'how this client plays a user: `volume` 0–200, `pan`, `mute`',
  key: ['user'],
  references: { user: { to: 'users', onRemoval: 'remove' } },
  schema: ({ table, section, text, or, between, flag }: SchemaParts) =>
    table({
      user: text(64),
      /** 0–200, in percent. */
      volume: or(between(0, 200), 100),
      /** 0–1 for each ear. */
      pan: section({ left: or(between(0, 1), 1), right: or(between(0, 1), 1) }),
      mute: flag(false),
    }),
});

/** Voice settings of one application only. */
export const applicationVoice = defineRecord({
  name: 'application_voice',
  noun: 'voice settings of an application',
  about: 'the settings of the `_2` commands, for one application',
  key: ['application'],
  references: { local_mutes: { to: 'users', onRemoval: 'null' } },
  schema: (parts: SchemaParts) => {
    const { table, section, snowflake, or, choice, textOrEmpty, flag, list, text, byId, between } = parts;
    return table({
      application: snowflake(),
      input_mode: section({
        type: or(choice('PUSH_TO_TALK', 'VOICE_ACTIVITY'), 'VOICE_ACTIVITY'),
        shortcut: or(textOrEmpty(256), ''),
      }),
      self_mute: flag(false),
      self_deaf: flag(false),
      /** Ids of the users who are muted locally. */
      local_mutes: list(text(64), 1000),
      /** Volume in percent by user id. */
      local_volumes: byId(between(0, 200)),
    });
  },
});

/** A sound of the soundboard. A sound without a guild belongs to the client itself. */
export const sounds = defineRecord({
  name: 'soundboard_sounds',
  noun: 'sound',
  about: 'sounds, default ones for everybody where no `guild` is written',
  key: ['id'],
  indexes: { guild: { order: 'key' }, file: byDigest },
  file: 'file',
  references: { guild: { to: 'guilds', onRemoval: 'remove' }, user: { to: 'users', onRemoval: 'null' } },
  schema: (parts: SchemaParts) => {
    const { table, snowflake, text, or, orNull, between, flag, optional } = parts;
    return table({
      id: snowflake(),
      name: text(32),
      guild: orNull(snowflake()),
      /** 0–1. */
      volume: or(between(0, 1), 1),
      available: flag(true),
      emoji_id: orNull(snowflake()),
      emoji_name: orNull(text(32)),
      /** Id of the creator. */
      user: orNull(text(64)),
      file: optional(storedFile(parts)),
    });
  },
});

/** A user in a voice channel. */
export type VoiceState = RowOf<typeof voiceStates>;
/** Playback of another user. */
export type UserVoice = RowOf<typeof userVoice>;
/** Voice settings of one application only. */
export type ApplicationVoice = RowOf<typeof applicationVoice>;
/** A sound of the soundboard. */
export type Sound = RowOf<typeof sounds>;

function faultOfSettings(settings: VoiceSettings): RecordFault | undefined {
  for (const side of ['input', 'output'] as const) {
    const seen = new Set<string>();
    for (const [index, { id }] of settings[side].available_devices.entries()) {
      const path = [side, 'available_devices', index, 'id'];
      if (seen.has(id)) return { path, reason: `the id ${id} is used twice` };
      seen.add(id);
    }
  }
  try {
    checkVoiceSettings(settings);
    return undefined;
  } catch (error) {
    if (!(error instanceof SettingError)) throw error;
    const steps = error.key.split(/[.[\]]+/).filter((step) => step !== '');
    return { path: steps.map((step) => (/^\d+$/.test(step) ? Number(step) : step)), reason: error.reason };
  }
}
