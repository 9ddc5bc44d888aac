import type { World } from '../api/world.ts';
import { nameIn } from '../guilds/guilds.ts';
import { rolesOf } from '../guilds/members/membership.ts';
import { compareRoles } from '../guilds/roles/roles.ts';
import { SettingError } from '../kernel/errors.ts';
import type { Relationship } from '../users/relationships/records.ts';

/** The logged-in account and its relationships. */
export class UserAccounts {
  readonly #world: World;

  constructor(world: World) {
    this.#world = world;
  }

  /** The relationships of the logged-in user: friends, requests and blocked users. */
  relationships(): readonly Relationship[] {
    const { relationships, me } = this.#world.tables;
    return [...relationships.by('of', me.value)];
  }

  relationship(userId: string): Relationship | undefined {
    const { relationships, me } = this.#world.tables;
    return relationships.get(me.value, userId);
  }

  /**
   * Adds a relationship with a user, or changes the existing one. `type` is 1 (friend) by default for a new
   * relationship. @throws SettingError
   */
  befriend(userId: string, status: Relationship['status'], type?: number): Relationship {
    const { me, users } = this.#world.tables;
    if (userId === me.value) throw new SettingError('user', 'is the logged-in user');
    if (!users.has(userId)) throw new SettingError('user', 'there is no such user');
    const old = this.relationship(userId);
    const next: Relationship = {
      of: me.value,
      user: userId,
      type: type ?? old?.type ?? 1,
      status,
      activity: old?.activity ?? null,
    };
    return this.#world.transaction(({ relationships }) => relationships.put(next));
  }

  /** Removes the relationship with a user; false when none exists. */
  unfriend(userId: string): boolean {
    return this.#world.transaction(({ relationships, me }) => relationships.remove(`${me.value} ${userId}`));
  }

  /** The display name of a user in a guild. */
  nameIn(guildId: string, userId: string): string {
    const user = this.#world.tables.users.get(userId);
    return user === undefined ? userId : nameIn(this.#world.tables, guildId, user);
  }

  /** The color of a user in a guild, as `#rrggbb`: the color of the user's highest colored role. */
  colorIn(guildId: string, userId: string): string | undefined {
    const { tables } = this.#world;
    const member = tables.members.get(guildId, userId);
    const colored =
      member === undefined ? [] : rolesOf(tables, member).filter(({ colors }) => colors.primary_color > 0);
    const color = colored.sort(compareRoles).at(-1)?.colors.primary_color;
    return color === undefined ? undefined : `#${color.toString(16).padStart(6, '0')}`;
  }

  loggedIn(): boolean {
    return this.#world.tables.client.value.logged_in;
  }

  /** Logs an account in, and the current account out. @throws SettingError for an unknown user. */
  logIn(userId: string): void {
    if (!this.#world.tables.users.has(userId)) throw new SettingError('user', 'there is no such user');
    this.#world.transaction(({ me, client }) => {
      me.set(userId);
      client.update({ logged_in: true });
    });
  }

  logOut(): void {
    this.#world.transaction(({ client }) => client.update({ logged_in: false }));
  }
}
