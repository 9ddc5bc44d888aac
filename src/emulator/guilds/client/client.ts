import type { StateRule, World } from '../../api/world.ts';
import { SettingError } from '../../kernel/errors.ts';
import { ACCESS_TABLES } from '../channels/access.ts';
import { type Channel, findChannel } from '../channels/channels.ts';
import { hasText } from '../channels/records.ts';
import type { Sound } from '../voice/records.ts';
import type { ClientState, Overlay } from './records.ts';

/** State rule: the client must not display a channel that the user cannot see. */
export const hideHiddenChannels: StateRule = (tables, commit) => {
  const { text_channel: displayed } = tables.client.value;
  if (displayed === null || !commit.touches('client', ...ACCESS_TABLES)) return;
  if (findChannel(tables, displayed).kind !== 'found') tables.client.update({ text_channel: null });
};

/** Maximum number of processes with an overlay state. A further one replaces the state that was set first. */
const MAX_OVERLAYS = 256;

/** The chat client: its displayed channel, its overlay, its soundboard. */
export class Client {
  readonly #world: World;

  constructor(world: World) {
    this.#world = world;
  }

  get state(): ClientState {
    return this.#world.tables.client.value;
  }

  /** Language of the client, as an IETF tag. */
  locale(): string {
    return this.state.locale ?? this.#world.me().locale;
  }

  /** Changes the fields that are present. */
  set(patch: Partial<ClientState>): void {
    this.#world.transaction(({ client }) => client.update(patch));
  }

  /**
   * Displays a text channel; null displays no channel. @throws SettingError for a channel that is unknown, hidden or
   * without text.
   */
  selectTextChannel(channelId: string | null): Channel | null {
    let channel: Channel | null = null;
    if (channelId !== null) {
      const found = findChannel(this.#world.tables, channelId);
      if (found.kind !== 'found') throw new SettingError('channel_id', `the channel is ${found.kind}`);
      if (!hasText(found.channel)) throw new SettingError('channel_id', 'the channel has no messages');
      channel = found.channel;
    }
    this.set({ text_channel: channelId });
    return channel;
  }

  /** Overlay state of a process. */
  overlay(pid: number): Overlay {
    return this.#world.tables.overlays.get(String(pid)) ?? { pid, enabled: false, locked: true };
  }

  setOverlay(overlay: Overlay): void {
    this.#world.transaction(({ overlays }) => {
      overlays.putLast(overlay);
      overlays.keepLast(MAX_OVERLAYS);
    });
  }

  sounds(): readonly Sound[] {
    return [...this.#world.tables.soundboard_sounds];
  }

  /** Signals that a sound is played in the channel. The emulator plays no audio. */
  play(soundId: string, channelId: string): void {
    this.#world.signal({ type: 'sound-played', soundId, channelId });
  }
}
