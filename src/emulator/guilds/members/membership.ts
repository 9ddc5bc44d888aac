import { ApiError } from '../../api/api-error.ts';
import { missingAccess } from '../../api/refusals.ts';
import type { Committed, Reading, Writing } from '../../api/world.ts';
import { timeOf } from '../../kernel/snowflake.ts';
import type { User } from '../../users/records.ts';
import type { Guild } from '../records.ts';
import type { Role } from '../roles/records.ts';
import type { Member } from './records.ts';

type ExternalIdentity = Reading['external_identities'] extends Iterable<infer Row> ? Row : never;

/** The rows that decide who is a member, and with which roles: as they are, or as they were. */
export interface MemberRows {
  readonly guilds: Pick<Reading['guilds'], 'get'>;
  readonly users: Pick<Reading['users'], 'get'>;
  readonly members: Pick<Reading['members'], 'get'>;
  readonly departures: Pick<Reading['departures'], 'get'>;
  readonly roles: Pick<Reading['roles'], 'get'>;
  readonly external_identities: { by(field: 'user' | 'source', userId: string): Iterable<ExternalIdentity> };
}

/** What those rows were before a transaction. */
export function memberRowsBefore(commit: Committed, { external_identities }: Reading): MemberRows {
  const was = <Name extends keyof Omit<MemberRows, 'external_identities'>>(name: Name) => ({
    get: (...key: readonly string[]) => commit.was(name, key.join(' ')),
  });
  const { created, updated, removed } = commit.of('external_identities');
  const fresh = new Set<object>([...created, ...updated.map(({ after }) => after)]);
  const gone = [...updated.map(({ before }) => before), ...removed];
  return {
    external_identities: {
      by: (field, userId) => [
        ...[...external_identities.by(field, userId)].filter((row) => !fresh.has(row)),
        ...gone.filter((row) => row[field] === userId),
      ],
    },
    guilds: was('guilds'),
    users: was('users'),
    members: was('members'),
    departures: was('departures'),
    roles: was('roles'),
  };
}

/** Whether an account is that of a game alone, and of nobody who chose this platform. */
function isProvisional({ external_identities: identities }: MemberRows, userId: string): boolean {
  const own = [...identities.by('user', userId)];
  const left = [...identities.by('source', userId)];
  return (
    own.some(({ status }) => status === 'provisional' || status === 'restricted') ||
    left.some(({ status }) => status === 'merging')
  );
}

/** Whether an account is a member of every guild that everybody is a member of: that of a person, and whole. */
export function isPerson(rows: MemberRows, { id, bot }: User): boolean {
  return !bot && !isProvisional(rows, id);
}

/** A member of whom there is nothing to say. */
export function plainMember(guild: string, user: string): Member {
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
    mute: false,
    deaf: false,
    temporary: false,
  };
}

/** A user as a member of a guild; undefined for one who is not. The owner always is. */
export function memberOf(tables: MemberRows, guildId: string, userId: string): Member | undefined {
  const listed = tables.members.get(guildId, userId);
  if (listed !== undefined) return listed;
  const guild = tables.guilds.get(guildId);
  const user = tables.users.get(userId);
  if (guild === undefined || user === undefined) return undefined;
  const isOne =
    guild.owner === userId ||
    (guild.membership === 'everybody' &&
      isPerson(tables, user) &&
      tables.departures.get(guildId, userId) === undefined);
  return isOne ? plainMember(guildId, userId) : undefined;
}

/** Whether a user is a member of a guild. */
export function isIn(rows: MemberRows, guildId: string, userId: string): boolean {
  return memberOf(rows, guildId, userId) !== undefined;
}

/** When a member came, in milliseconds: as written or, for one that always was, since there are both. */
export function joinedAt({ guild, user, joined_at }: Member): number {
  return joined_at === null ? Math.max(timeOf(guild), timeOf(user)) : Date.parse(joined_at);
}

/** The roles of a member besides the one that everybody has, in no order. */
export function rolesOf({ roles }: Pick<Reading, 'roles'>, member: Member): Role[] {
  return member.roles.map((id) => roles.get(id)).filter((role) => role !== undefined);
}

/** Changes what a guild says of a member. To be called for one who is. */
export function updateMember(tables: Writing, member: Member, fields: Partial<Member>): Member {
  return tables.members.put({ ...member, ...fields });
}

/** Why somebody cannot become a member of a guild, whatever the way: undefined where nothing is in it. */
export function memberObstacle(
  tables: Reading,
  guild: string,
  user: string,
): 'provisional' | 'banned' | undefined {
  if (isProvisional(tables, user)) return 'provisional';
  return tables.guild_bans.has(guild, user) ? 'banned' : undefined;
}

/** 403 with code 40007. */
export function bannedFromGuild(): ApiError {
  return new ApiError('UserBannedFromThisGuild');
}

/**
 * Makes a user a member from `now` on, in milliseconds, in this transaction; one who is stays as they are but for `fields`.
 * @throws ApiError 403 with code 40007 for whoever is banned, 50001 for an account that only a game knows.
 */
export function join(
  tables: Writing,
  { guild, user, now }: { readonly guild: string; readonly user: string; readonly now: number },
  fields: Partial<Member> = {},
): Member {
  const member = memberOf(tables, guild, user);
  const obstacle = member === undefined ? memberObstacle(tables, guild, user) : undefined;
  if (obstacle !== undefined) throw obstacle === 'banned' ? bannedFromGuild() : missingAccess();
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
  if (membership === 'everybody' && user !== undefined && isPerson(tables, user)) {
    tables.departures.put({ guild: id, user: userId });
  }
}
