import { findUser } from './accounts/accounts.ts';
import type { Change } from './change.ts';
import { SettingError } from './errors.ts';
import { diffFixture } from './fixture/diff.ts';
import type { Channel, Fixture, User } from './fixture/fixture.ts';
import { hasVoice, lookUpChannel } from './guilds/guilds.ts';
import type { Log } from './log.ts';

/** Holds the fixture-shaped state. Every way to change it goes through `commit`, so that each difference is told. */
export class World {
  readonly #log: Log;
  readonly #listeners = new Set<(change: Change) => void>();
  readonly #waiting: Change[] = [];
  #state: Fixture;
  #selected: string | null = null;
  #telling = false;

  constructor(fixture: Fixture, log: Log) {
    this.#state = fixture;
    this.#log = log;
  }

  get state(): Fixture {
    return this.#state;
  }

  me(): User {
    const user = findUser(this.#state, this.#state.me);
    // A fixture is validated before it gets here, so this is a defect and not an input.
    if (user === undefined) throw new Error('the logged-in user is not in the fixture');
    return user;
  }

  selected(): Channel | null {
    if (this.#selected === null) return null;
    const found = lookUpChannel(this.#state, this.#selected);
    return found.kind === 'found' ? found.channel : null;
  }

  /** Makes a new state current and tells the differences; returns them. */
  commit(next: Fixture): readonly Change[] {
    const changes = diffFixture(this.#state, next);
    this.#state = next;
    const channel = this.selected();
    if (this.#selected !== null && (channel === null || !hasVoice(channel))) {
      this.#selected = null;
      changes.push({ type: 'voice-channel-selected', channelId: null, guildId: null });
    }
    this.tell(...changes);
    return changes;
  }

  /** Joins a voice channel, or leaves with null. @throws SettingError when one cannot talk there. */
  select(channelId: string | null): Channel | null {
    let channel: Channel | null = null;
    if (channelId !== null) {
      const found = lookUpChannel(this.#state, channelId);
      if (found.kind !== 'found') throw new SettingError('channel_id', `the channel is ${found.kind}`);
      if (!hasVoice(found.channel)) throw new SettingError('channel_id', 'the channel has no voice');
      channel = found.channel;
    }
    if (this.#selected !== channelId) {
      this.#selected = channelId;
      this.tell({ type: 'voice-channel-selected', channelId, guildId: channel?.guild_id ?? null });
    }
    return channel;
  }

  subscribe(listener: (change: Change) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Tells changes in order. A change that a listener causes is told after the ones already waiting. */
  tell(...changes: readonly Change[]): void {
    this.#waiting.push(...changes);
    if (this.#telling) return;
    this.#telling = true;
    try {
      for (let change = this.#waiting.shift(); change !== undefined; change = this.#waiting.shift()) {
        for (const listener of [...this.#listeners]) this.#deliver(listener, change);
      }
    } finally {
      this.#telling = false;
    }
  }

  #deliver(listener: (change: Change) => void, change: Change): void {
    try {
      listener(change);
    } catch (error) {
      const name = error instanceof Error ? error.name : typeof error;
      this.#log.warn(`a listener failed on ${change.type}: ${name}`);
    }
  }

  /** The state without client secrets, followed by the applications in `more`. */
  show(more: Fixture['applications']): Fixture {
    const applications = [...this.#state.applications, ...more].map((record) => ({
      ...record,
      secret: null,
    }));
    return { ...this.#state, applications };
  }
}
