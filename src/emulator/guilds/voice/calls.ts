import type { World } from '../../api/world.ts';
import type { Clock } from '../../kernel/clock.ts';
import { SettingError } from '../../kernel/errors.ts';
import { type Channel, findChannel, publicChannel } from '../channels/channels.ts';
import type { VoiceConnection } from './connection.ts';
import { checkJoin, type JoinCheck, joinVoice } from './joining.ts';
import type { VoiceState } from './records.ts';

const REASONS = {
  unknown: 'the channel is unknown',
  denied: 'the user may not view the channel',
  'no-voice': 'the channel has no voice; give a voice channel',
  'no-right': 'the user may not connect to the channel',
  full: 'the channel is full',
} as const;

/** Voice states of all users. */
export class Calls {
  readonly #world: World;
  readonly #connection: VoiceConnection;
  readonly #clock: Clock;

  constructor(world: World, connection: VoiceConnection, clock: Clock) {
    this.#world = world;
    this.#connection = connection;
    this.#clock = clock;
  }

  /** Voice states of a channel's users, in the order in which they joined. */
  in(channelId: string): readonly VoiceState[] {
    return [...this.#world.tables.voice_states.by('channel', channelId)];
  }

  /** Voice state of a user. */
  of(userId: string): VoiceState | undefined {
    return this.#world.tables.voice_states.get(userId);
  }

  /** The voice channel that the logged-in user is in; null for none. */
  selected(): Channel | null {
    const { tables } = this.#world;
    const own = tables.voice_states.get(tables.me.value);
    const found = own === undefined ? undefined : findChannel(tables, own.channel);
    return found?.kind === 'found' ? found.channel : null;
  }

  /** Whether a user could join now. */
  check(userId: string, channelId: string): JoinCheck {
    return checkJoin(this.#world.tables, userId, channelId, this.#clock.now());
  }

  /** Moves a user into a channel. @throws SettingError for a user who cannot join the channel. */
  join(userId: string, channelId: string): Channel {
    const { users, me, client } = this.#world.tables;
    if (!users.has(userId)) throw new SettingError('user', 'there is no such user');
    if (userId === me.value && !client.value.logged_in) throw new SettingError('user', 'is not logged in');
    const checked = this.check(userId, channelId);
    if (checked.kind !== 'found') throw new SettingError('channel_id', REASONS[checked.kind]);
    if (userId === me.value && this.of(userId)?.channel === channelId) this.#connection.rejoin();
    this.#world.transaction((tables) => joinVoice(tables, userId, checked.channel));
    return publicChannel(checked.channel);
  }

  /** Disconnects a user from a voice channel; false for a user who is in none. */
  leave(userId: string): boolean {
    return this.#world.transaction(({ voice_states }) => voice_states.remove(userId));
  }

  /** Sets whether a user is speaking. @throws SettingError for a user who is muted or in no channel. */
  speak(userId: string, speaking: boolean): void {
    const voice = this.of(userId);
    if (voice === undefined) throw new SettingError('user', 'is in no voice channel');
    if (speaking && (voice.mute || voice.self_mute || voice.suppress)) {
      throw new SettingError('user', 'is muted');
    }
    this.#world.transaction(({ voice_states }) => voice_states.update(userId, { speaking }));
  }

  /**
   * Sets whether a user has muted or deafened themselves. The state of the logged-in user follows the voice settings, so
   * those change. @throws SettingError for another user who is in no channel.
   */
  setOwn(userId: string, own: Partial<Pick<VoiceState, 'self_mute' | 'self_deaf'>>): void {
    const { me, voice } = this.#world.tables;
    const { self_mute, self_deaf } = own;
    if (userId !== me.value && this.of(userId) === undefined)
      throw new SettingError('user', 'is in no voice channel');
    this.#world.transaction((tables) => {
      if (userId !== me.value) return void tables.voice_states.update(userId, own);
      const { mute, deaf } = voice.value;
      tables.voice.set({ ...voice.value, mute: self_mute ?? mute, deaf: self_deaf ?? deaf });
    });
  }

  /** Presses or releases push to talk. It has no effect in another voice mode, or while the user is muted. */
  pushToTalk(active: boolean): void {
    const { me, voice } = this.#world.tables;
    const own = this.of(me.value);
    if (own === undefined || own.speaking === active) return;
    if (active && (voice.value.mode.type !== 'PUSH_TO_TALK' || own.mute || own.self_mute || own.suppress))
      return;
    this.speak(me.value, active);
  }
}
