import { timeOf } from '../snowflake.ts';
import type { User } from '../users/records.ts';
import type { Reading, Writing } from '../world.ts';
import type { Member } from './member-records.ts';
import type { Guild } from './records.ts';
import type { Role } from './role-records.ts';

/** Whether an account is a member of every guild that everybody is a member of: that of a person, not of a bot. */
function isPerson({ bot }: User): boolean {
  return !bot;
}

/** A member of whom there is nothing to say. */
function plainMember(guild: string, user: string): Member {
  return {
    guild,
    user,
    nick: null,
    roles: [],
    joined_at: null,
    premium_since: null,
    communication_disabled_until: null,
    avatar: null,
    banner: null,
    bio: null,
    flags: 0,
  };
}

/** A user as a member of a guild; undefined for one who is not. The owner always is. */
export function memberOf(tables: Reading, guildId: string, userId: string): Member | undefined {
  const listed = tables.members.get(guildId, userId);
  if (listed !== undefined) return listed;
  const guild = tables.guilds.get(guildId);
  const user = tables.users.get(userId);
  if (guild === undefined || user === undefined) return undefined;
  const isOne =
    guild.owner === userId ||
    (guild.membership === 'everybody' && isPerson(user) && !tables.departures.has(guildId, userId));
  return isOne ? plainMember(guildId, userId) : undefined;
}

/** When a member came, in milliseconds: as written or, for one that always was, since there are both. */
export function joinedAt({ guild, user, joined_at }: Member): number {
  return joined_at === null ? Math.max(timeOf(guild), timeOf(user)) : Date.parse(joined_at);
}

/** The roles of a member besides the one that everybody has, in no order. */
export function rolesOf({ roles }: Reading, member: Member): Role[] {
  return member.roles.map((id) => roles.get(id)).filter((role) => role !== undefined);
}

/** Changes what a guild says of a member. To be called for one who is. */
export function updateMember(tables: Writing, member: Member, fields: Partial<Member>): Member {
  return tables.members.put({ ...member, ...fields });
}

/** Makes a user a member from `now` on, in milliseconds; one who is stays as they are but for `fields`. */
export function join(
  tables: Writing,
  { guild, user, now }: { readonly guild: string; readonly user: string; readonly now: number },
  fields: Partial<Member> = {},
): Member {
  const member = memberOf(tables, guild, user);
  tables.departures.remove(`${guild} ${user}`);
  const joined_at = new Date(now).toISOString();
  return tables.members.put({ ...(member ?? { ...plainMember(guild, user), joined_at }), ...fields });
}

/** Takes a member out, together with the role that is theirs as a bot. */
export function leave(tables: Writing, { id, membership }: Guild, userId: string): void {
  tables.members.remove(`${id} ${userId}`);
  for (const role of [...tables.roles.by('bot', userId)]) {
    if (role.guild === id) tables.roles.remove(role.id);
  }
  const user = tables.users.get(userId);
  if (membership === 'everybody' && user !== undefined && isPerson(user)) {
    tables.departures.put({ guild: id, user: userId });
  }
}
