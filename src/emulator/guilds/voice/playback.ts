import type { World } from '../../api/world.ts';
import { SettingError } from '../../kernel/errors.ts';
import type { ApplicationVoice, UserVoice } from './records.ts';

/** Part of a user's playback settings; volume 0–200 in percent, pan 0–1 for each ear. */
export type UserVoicePatch = { readonly [K in keyof Omit<UserVoice, 'user'>]?: UserVoice[K] | undefined };

/** Part of an application's own voice settings. */
export type ApplicationVoicePatch = {
  readonly [K in 'input_mode' | 'self_mute' | 'self_deaf']?: ApplicationVoice[K] | undefined;
};

/**
 * Limit of the applications with their own settings; a new one replaces the one that was set first, because any
 * number of ids may arrive.
 */
const MAX_APPLICATIONS = 256;

/** Playback of other users in this client: for all applications, and for one. All accounts share it. */
export class Playback {
  readonly #world: World;

  constructor(world: World) {
    this.#world = world;
  }

  /** Playback settings of a user. */
  of(userId: string): UserVoice {
    const own = this.#world.tables.user_voice.get(userId);
    return own ?? { user: userId, volume: 100, pan: { left: 1, right: 1 }, mute: false };
  }

  /** Changes the fields of a patch and returns the whole. @throws SettingError for the own user and for an unknown one. */
  set(userId: string, patch: UserVoicePatch): UserVoice {
    this.#requireOther(userId);
    const next: UserVoice = { ...this.of(userId), ...definedFields(patch) };
    return this.#world.transaction(({ user_voice }) => user_voice.putLast(next));
  }

  /** An application's own settings. */
  forApplication(applicationId: string): ApplicationVoice {
    const own = this.#world.tables.application_voice.get(applicationId);
    return (
      own ?? {
        application: applicationId,
        input_mode: { type: 'VOICE_ACTIVITY', shortcut: '' },
        self_mute: false,
        self_deaf: false,
        local_mutes: [],
        local_volumes: {},
      }
    );
  }

  setForApplication(applicationId: string, patch: ApplicationVoicePatch): void {
    this.#store({ ...this.forApplication(applicationId), ...definedFields(patch) });
  }

  /** Sets the playback of a user in one application. @throws SettingError for the own user and for an unknown one. */
  setUserForApplication(
    applicationId: string,
    userId: string,
    { volume, mute }: { readonly volume?: number | undefined; readonly mute?: boolean | undefined },
  ): void {
    this.#requireOther(userId);
    const own = this.forApplication(applicationId);
    const rest = own.local_mutes.filter((id) => id !== userId);
    this.#store({
      ...own,
      local_mutes: mute === undefined ? own.local_mutes : mute ? [...rest, userId] : rest,
      local_volumes: volume === undefined ? own.local_volumes : { ...own.local_volumes, [userId]: volume },
    });
  }

  #store(settings: ApplicationVoice): void {
    this.#world.transaction(({ application_voice }) => {
      application_voice.putLast(settings);
      application_voice.keepLast(MAX_APPLICATIONS);
    });
  }

  #requireOther(userId: string): void {
    const { me, users } = this.#world.tables;
    if (userId === me.value) throw new SettingError('user_id', 'is the logged-in user');
    if (!users.has(userId)) throw new SettingError('user_id', 'there is no such user');
  }
}

/** Removes fields that are undefined. */
function definedFields<T extends object>(patch: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const entries = Object.entries(patch).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> };
}
