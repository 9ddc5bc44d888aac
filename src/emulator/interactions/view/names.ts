import type { Reading } from '../../api/world.ts';
import { mayView } from '../../guilds/channels/access.ts';
import { memberOf, rolesOf } from '../../guilds/members/membership.ts';
import { compareRoles } from '../../guilds/roles/roles.ts';

/** Names that messages refer to by id. */
export interface Names {
  readonly users: Readonly<Record<string, NamedUser>>;
  readonly roles: Readonly<Record<string, NamedRole>>;
  readonly channels: Readonly<Record<string, NamedChannel>>;
}

interface NamedUser {
  /** Nickname in the guild, or else the name of the account. */
  readonly name: string;
  /** Color of the highest role that has one, as 24 bits; null for none. */
  readonly color: number | null;
  /** Address of a picture, for `file.read`. */
  readonly avatar: string;
  readonly bot: boolean;
}

interface NamedRole {
  readonly name: string;
  readonly color: number | null;
}

interface NamedChannel {
  readonly name: string;
  readonly type: number;
}

/** Names of all users, roles and channels whose ids are in a text, without channels that the viewer does not see. */
export function namesIn(
  tables: Reading,
  text: string,
  { guild, viewer }: { readonly guild: string | undefined; readonly viewer: string },
): Names {
  const users: Record<string, NamedUser> = {};
  const roles: Record<string, NamedRole> = {};
  const channels: Record<string, NamedChannel> = {};
  for (const id of new Set(text.match(/\d{1,20}/g))) {
    const user = tables.users.get(id);
    const role = tables.roles.get(id);
    const channel = tables.channels.get(id);
    if (user !== undefined) users[id] = userIn(tables, guild, user);
    if (role !== undefined) roles[id] = { name: role.name, color: colorOf(role) };
    if (channel !== undefined && mayView(tables, channel, viewer)) {
      channels[id] = { name: channel.name, type: channel.type };
    }
  }
  return { users, roles, channels };
}

/** Display of a user in a guild, or in private. */
function userIn(
  tables: Reading,
  guild: string | undefined,
  {
    id,
    username,
    global_name,
    bot,
  }: {
    readonly id: string;
    readonly username: string;
    readonly global_name: string | null;
    readonly bot: boolean;
  },
): NamedUser {
  const member = guild === undefined ? undefined : memberOf(tables, guild, id);
  const colored =
    member === undefined ? [] : rolesOf(tables, member).filter((role) => colorOf(role) !== null);
  const highest = colored.toSorted(compareRoles).at(-1);
  return {
    name: member?.nick ?? global_name ?? username,
    color: highest === undefined ? null : colorOf(highest),
    avatar: avatarAddress(id),
    bot,
  };
}

/** Address of a user's picture, which the emulator draws from the id. */
export function avatarAddress(id: string): string {
  return `/avatars/${id}.png`;
}

/** Color of a role as 24 bits; null for none. */
export function colorOf({ colors }: { readonly colors: { readonly primary_color: number } }): number | null {
  return colors.primary_color === 0 ? null : colors.primary_color;
}
