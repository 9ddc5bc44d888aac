import { findUser } from '../accounts/accounts.ts';
import { SettingError } from '../errors.ts';
import type { Channel, Fixture } from '../fixture/fixture.ts';
import type { VoiceState } from '../fixture/records.ts';
import { ownVoiceChannel } from '../fixture/settle.ts';
import { type ChannelLookup, hasVoice, lookUpChannel } from '../guilds/guilds.ts';
import type { World } from '../world.ts';
import type { VoiceConnection } from './connection.ts';

/** Whether a user can join a channel, and why not. */
export type JoinCheck =
  | Extract<ChannelLookup, { readonly kind: 'found' }>
  | { readonly kind: 'unknown' | 'denied' | 'no-voice' | 'full' };

const REASONS = {
  unknown: 'the channel is unknown',
  denied: 'the channel is denied to the user',
  'no-voice': 'the channel has no voice',
  full: 'the channel is full',
} as const;

/** Who talks where. */
export class Calls {
  readonly #world: World;
  readonly #connection: VoiceConnection;

  constructor(world: World, connection: VoiceConnection) {
    this.#world = world;
    this.#connection = connection;
  }

  /** The people in a channel, in the order they joined. */
  in(channelId: string): readonly VoiceState[] {
    return this.#world.state.voice_states.filter(({ channel }) => channel === channelId);
  }

  /** Where a user talks. */
  of(userId: string): VoiceState | undefined {
    return this.#world.state.voice_states.find(({ user }) => user === userId);
  }

  /** The channel the logged-in user is in. */
  selected(): Channel | null {
    const id = ownVoiceChannel(this.#world.state);
    const found = id === null ? undefined : lookUpChannel(this.#world.state, id);
    return found?.kind === 'found' ? found.channel : null;
  }

  /** Whether a user could join now. */
  check(userId: string, channelId: string): JoinCheck {
    const found = lookUpChannel(this.#world.state, channelId, userId);
    if (found.kind !== 'found') return { kind: found.kind };
    if (!hasVoice(found.channel)) return { kind: 'no-voice' };
    const others = this.in(channelId).filter(({ user }) => user !== userId).length;
    const { user_limit: limit } = found.channel;
    return limit > 0 && others >= limit ? { kind: 'full' } : found;
  }

  /** Puts a user into a channel, out of any other. @throws SettingError when they cannot be there. */
  join(userId: string, channelId: string): Channel {
    const { state } = this.#world;
    if (findUser(state, userId) === undefined) throw new SettingError('user', 'there is no such user');
    if (userId === state.me && !state.client.logged_in) throw new SettingError('user', 'is not logged in');
    const checked = this.check(userId, channelId);
    if (checked.kind !== 'found') throw new SettingError('channel_id', REASONS[checked.kind]);
    const before = this.of(userId);
    if (before?.channel === channelId) {
      if (userId === state.me) this.#connection.rejoin();
      return checked.channel;
    }
    const joined: VoiceState = { ...silentState(userId, channelId), nick: before?.nick ?? null };
    this.#world.commit({ ...state, voice_states: [...without(state, userId), joined] });
    return checked.channel;
  }

  /** Takes a user out of whatever channel they are in; false when they are in none. */
  leave(userId: string): boolean {
    if (this.of(userId) === undefined) return false;
    const { state } = this.#world;
    this.#world.commit({ ...state, voice_states: without(state, userId) });
    return true;
  }

  /** Makes somebody begin or stop to speak. @throws SettingError when they are in no channel, or muted. */
  speak(userId: string, speaking: boolean): void {
    const voice = this.of(userId);
    if (voice === undefined) throw new SettingError('user', 'is in no voice channel');
    if (speaking && (voice.mute || voice.self_mute || voice.suppress)) {
      throw new SettingError('user', 'is muted');
    }
    const { state } = this.#world;
    this.#world.commit({
      ...state,
      voice_states: state.voice_states.map((entry) => (entry === voice ? { ...entry, speaking } : entry)),
    });
  }

  /** Presses or releases push to talk. Nothing unless that is the voice mode and the user could be heard. */
  pushToTalk(active: boolean): void {
    const { state } = this.#world;
    const own = this.of(state.me);
    if (own === undefined || own.speaking === active) return;
    if (active && (state.voice.mode.type !== 'PUSH_TO_TALK' || own.mute || own.self_mute || own.suppress))
      return;
    this.speak(state.me, active);
  }
}

function silentState(user: string, channel: string): VoiceState {
  const quiet = { mute: false, deaf: false, self_mute: false, self_deaf: false, suppress: false };
  return { user, channel, nick: null, ...quiet, speaking: false };
}

function without(state: Fixture, userId: string): readonly VoiceState[] {
  return state.voice_states.filter(({ user }) => user !== userId);
}
