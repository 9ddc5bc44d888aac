import type { World } from '../../api/world.ts';
import { SettingError } from '../../kernel/errors.ts';
import type { ApplicationVoice, UserVoice } from './records.ts';

/** A change of some playback settings of a user: volume in percent (0–200), pan for each ear (0–1). */
export type UserVoicePatch = { readonly [K in keyof Omit<UserVoice, 'user'>]?: UserVoice[K] | undefined };

/** A change of some voice settings of one application. */
export type ApplicationVoicePatch = {
  readonly [K in 'input_mode' | 'self_mute' | 'self_deaf']?: ApplicationVoice[K] | undefined;
};

/**
 * Maximum number of applications with voice settings of their own. Any number of ids may arrive, so a further
 * application replaces the one whose settings are the oldest.
 */
const MAX_APPLICATIONS = 256;

/**
 * Playback of other users in this client, for all applications and for single ones. The settings do not depend on the
 * logged-in account.
 */
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

  /**
   * Changes the playback settings of a user and returns all of them. @throws SettingError for the logged-in user and
   * for an unknown user.
   */
  set(userId: string, patch: UserVoicePatch): UserVoice {
    this.#requireOther(userId);
    const next: UserVoice = { ...this.of(userId), ...definedFields(patch) };
    return this.#world.transaction(({ user_voice }) => user_voice.putLast(next));
  }

  /** The voice settings of one application. */
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

  /**
   * Sets the playback of a user in one application. @throws SettingError for the logged-in user and for an unknown
   * user.
   */
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

/** Returns the fields of a patch that are not undefined. */
function definedFields<T extends object>(patch: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const entries = Object.entries(patch).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> };
}
