import type { Clock } from '../clock.ts';
import { SettingError } from '../errors.ts';
import type { Channel } from '../fixture/fixture.ts';
import type { ClientState, Overlay, Sound } from '../fixture/records.ts';
import { hasText, lookUpChannel } from '../guilds/guilds.ts';
import { randomSecret } from '../oauth2/random.ts';
import type { World } from '../world.ts';

/** An invite to a channel; ages in seconds, 0 is no limit. */
export interface ChannelInvite {
  readonly code: string;
  readonly channel_id: string;
  readonly guild_id: string;
  /** ISO 8601. */
  readonly created_at: string;
  readonly max_age: number;
  readonly max_uses: number;
  readonly temporary: boolean;
  readonly uses: number;
}

/** Newest invites that are remembered. */
const MOST_INVITES = 100;
/** Processes whose overlay was set; the one set longest ago makes room. */
const MOST_OVERLAYS = 256;
const DAY_S = 86_400;

/** The chat client: what it shows, its overlay, its soundboard, the invites it made. */
export class Client {
  readonly #world: World;
  readonly #clock: Clock;
  #invites: readonly ChannelInvite[] = [];

  constructor(world: World, clock: Clock) {
    this.#world = world;
    this.#clock = clock;
  }

  get state(): ClientState {
    return this.#world.state.client;
  }

  /** The language it is set to, as an IETF tag. */
  locale(): string {
    return this.state.locale ?? this.#world.me().locale;
  }

  /** Changes what is given. */
  set(patch: Partial<ClientState>): void {
    const { state } = this.#world;
    this.#world.commit({ ...state, client: { ...state.client, ...patch } });
  }

  /** Shows a text channel; null shows none. @throws SettingError when it is unknown, hidden or holds no text. */
  selectTextChannel(channelId: string | null): Channel | null {
    let channel: Channel | null = null;
    if (channelId !== null) {
      const found = lookUpChannel(this.#world.state, channelId);
      if (found.kind !== 'found') throw new SettingError('channel_id', `the channel is ${found.kind}`);
      if (!hasText(found.channel)) throw new SettingError('channel_id', 'the channel has no messages');
      channel = found.channel;
    }
    this.set({ text_channel: channelId });
    return channel;
  }

  /** The overlay over a process. */
  overlay(pid: number): Overlay {
    const own = this.#world.state.overlays.find((overlay) => overlay.pid === pid);
    return own ?? { pid, enabled: false, locked: true };
  }

  setOverlay(overlay: Overlay): void {
    const { state } = this.#world;
    const others = state.overlays.filter(({ pid }) => pid !== overlay.pid);
    this.#world.commit({ ...state, overlays: [...others.slice(-(MOST_OVERLAYS - 1)), overlay] });
  }

  sounds(): readonly Sound[] {
    return this.#world.state.soundboard_sounds;
  }

  /** Plays a sound to the channel; nobody hears it here, it is only told. */
  play(soundId: string, channelId: string): void {
    this.#world.tell({ type: 'sound-played', soundId, channelId });
  }

  /** Invites made since the start, newest last. */
  invites(): readonly ChannelInvite[] {
    return this.#invites;
  }

  /** Makes an invite to a channel that is in view. */
  invite(channel: Channel): ChannelInvite {
    const made: ChannelInvite = {
      code: randomSecret(8),
      channel_id: channel.id,
      guild_id: channel.guild_id,
      created_at: new Date(this.#clock.now()).toISOString(),
      max_age: DAY_S,
      max_uses: 0,
      temporary: false,
      uses: 0,
    };
    this.#invites = [...this.#invites, made].slice(-MOST_INVITES);
    return made;
  }
}
