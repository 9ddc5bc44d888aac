import { SettingError } from '../errors.ts';
import type { Relationship, Status } from '../fixture/records.ts';
import { nameIn } from '../guilds/guilds.ts';
import type { World } from '../world.ts';
import { findUser } from './accounts.ts';

/** Who the logged-in user knows, and which account is logged in. */
export class People {
  readonly #world: World;

  constructor(world: World) {
    this.#world = world;
  }

  /** The logged-in user's list: friends, requests and blocked users. */
  relationships(): readonly Relationship[] {
    const { state } = this.#world;
    return state.relationships.filter(({ of }) => of === state.me);
  }

  relationship(userId: string): Relationship | undefined {
    return this.relationships().find(({ user }) => user === userId);
  }

  /** Puts somebody on the list, or changes them: type 1 (friend) unless they are on it. @throws SettingError */
  befriend(userId: string, status: Status, type?: number): Relationship {
    const { state } = this.#world;
    if (userId === state.me) throw new SettingError('user', 'is the logged-in user');
    if (findUser(state, userId) === undefined) throw new SettingError('user', 'there is no such user');
    const old = this.relationship(userId);
    const next: Relationship = {
      of: state.me,
      user: userId,
      type: type ?? old?.type ?? 1,
      status,
      activity: old?.activity ?? null,
    };
    const relationships = old
      ? state.relationships.map((entry) => (entry === old ? next : entry))
      : [...state.relationships, next];
    this.#world.commit({ ...state, relationships });
    return next;
  }

  /** Takes somebody off the list; false when they are not on it. */
  unfriend(userId: string): boolean {
    const old = this.relationship(userId);
    if (old === undefined) return false;
    const { state } = this.#world;
    this.#world.commit({ ...state, relationships: state.relationships.filter((entry) => entry !== old) });
    return true;
  }

  /** The nickname of a user in a guild. */
  nick(guildId: string, userId: string): string | null {
    const guild = this.#world.state.guilds.find(({ id }) => id === guildId);
    return guild?.members.find(({ user }) => user === userId)?.nick ?? null;
  }

  /** What a user is called in a guild. */
  nameIn(guildId: string, userId: string): string {
    const user = findUser(this.#world.state, userId);
    return user === undefined ? userId : nameIn(this.#world.state, guildId, user);
  }

  loggedIn(): boolean {
    return this.#world.state.client.logged_in;
  }

  /** Logs an account in, out of any other. @throws SettingError when the fixture has no such user. */
  logIn(userId: string): void {
    const { state } = this.#world;
    if (findUser(state, userId) === undefined) throw new SettingError('user', 'there is no such user');
    this.#world.commit({ ...state, me: userId, client: { ...state.client, logged_in: true } });
  }

  logOut(): void {
    const { state } = this.#world;
    this.#world.commit({ ...state, client: { ...state.client, logged_in: false } });
  }
}
