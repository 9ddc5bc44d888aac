import type { World } from '../../api/world.ts';
import { SettingError } from '../../kernel/errors.ts';
import type { ApplicationVoice, UserVoice } from './records.ts';

/** Part of how somebody is heard; volume 0–200 in percent, pan 0–1 for each ear. */
export type UserVoicePatch = { readonly [K in keyof Omit<UserVoice, 'user'>]?: UserVoice[K] | undefined };

/** Part of an application's own voice settings. */
export type ApplicationVoicePatch = {
  readonly [K in 'input_mode' | 'self_mute' | 'self_deaf']?: ApplicationVoice[K] | undefined;
};

/** Applications with settings of their own; any number of ids may come, so the one set longest ago makes room. */
const MOST_APPLICATIONS = 256;

/** How this client plays others: for every application, and for one alone. All accounts share it. */
export class Playback {
  readonly #world: World;

  constructor(world: World) {
    this.#world = world;
  }

  /** How a user is heard. */
  of(userId: string): UserVoice {
    const own = this.#world.tables.user_voice.get(userId);
    return own ?? { user: userId, volume: 100, pan: { left: 1, right: 1 }, mute: false };
  }

  /** Changes what the patch names and returns the whole. @throws SettingError for oneself and for nobody. */
  set(userId: string, patch: UserVoicePatch): UserVoice {
    this.#requireOther(userId);
    const next: UserVoice = { ...this.of(userId), ...given(patch) };
    return this.#world.transaction(({ user_voice }) => user_voice.putLast(next));
  }

  /** One application's own settings. */
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
    this.#store({ ...this.forApplication(applicationId), ...given(patch) });
  }

  /** How a user is heard in one application. @throws SettingError for oneself and for nobody. */
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
      application_voice.keepLast(MOST_APPLICATIONS);
    });
  }

  #requireOther(userId: string): void {
    const { me, users } = this.#world.tables;
    if (userId === me.value) throw new SettingError('user_id', 'is the logged-in user');
    if (!users.has(userId)) throw new SettingError('user_id', 'there is no such user');
  }
}

/** Leaves out what is undefined, which an optional argument may be. */
function given<T extends object>(patch: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const entries = Object.entries(patch).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> };
}
