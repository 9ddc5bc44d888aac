import { ApiError, missingAccess } from '../../api/api-error.ts';
import type { Committed, Reading, Writing } from '../../api/world.ts';
import { timeOf } from '../../kernel/snowflake.ts';
import type { User } from '../../users/records.ts';
import type { Guild } from '../records.ts';
import type { Role } from '../roles/records.ts';
import type { Member } from './records.ts';

type ExternalIdentity = Reading['external_identities'] extends Iterable<infer Row> ? Row : never;

/** Rows that determine memberships and roles: those of the current state or of an earlier one. */
export interface MemberRows {
  readonly guilds: Pick<Reading['guilds'], 'get'>;
  readonly users: Pick<Reading['users'], 'get'>;
  readonly members: Pick<Reading['members'], 'get'>;
  readonly departures: Pick<Reading['departures'], 'get'>;
  readonly roles: Pick<Reading['roles'], 'get'>;
  readonly external_identities: { by(field: 'user' | 'source', userId: string): Iterable<ExternalIdentity> };
}

/** The rows of {@link MemberRows} before a transaction. */
export function memberRowsBefore(commit: Committed, { external_identities }: Reading): MemberRows {
  const was = <Name extends keyof Omit<MemberRows, 'external_identities'>>(name: Name) => ({
    get: (...key: readonly string[]) => commit.was(name, key.join(' ')),
  });
  const { created, updated, removed } = commit.of('external_identities');
  const fresh = new Set<object>([...created, ...updated.map(({ after }) => after)]);
  const previous = [...updated.map(({ before }) => before), ...removed];
  return {
    external_identities: {
      by: (field, userId) => [
        ...[...external_identities.by(field, userId)].filter((row) => !fresh.has(row)),
        ...previous.filter((row) => row[field] === userId),
      ],
    },
    guilds: was('guilds'),
    users: was('users'),
    members: was('members'),
    departures: was('departures'),
    roles: was('roles'),
  };
}

/** Whether an account is provisional: a game created it, and no user of the platform. */
function isProvisional({ external_identities: identities }: MemberRows, userId: string): boolean {
  const own = [...identities.by('user', userId)];
  const left = [...identities.by('source', userId)];
  return (
    own.some(({ status }) => status === 'provisional' || status === 'restricted') ||
    left.some(({ status }) => status === 'merging')
  );
}

/**
 * Whether an account is a member of every open guild. That is so for accounts of users, but not for bots and
 * provisional accounts.
 */
export function isRegularUser(rows: MemberRows, { id, bot }: User): boolean {
  return !bot && !isProvisional(rows, id);
}

/** Default member row of a user. */
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
    pending: false,
  };
}

/** A user as a member of a guild; undefined for a user who is not a member. The owner is always a member. */
export function memberOf(tables: MemberRows, guildId: string, userId: string): Member | undefined {
  const listed = tables.members.get(guildId, userId);
  if (listed !== undefined) return listed;
  const guild = tables.guilds.get(guildId);
  const user = tables.users.get(userId);
  if (guild === undefined || user === undefined) return undefined;
  const isOne =
    guild.owner === userId ||
    (guild.membership === 'everybody' &&
      isRegularUser(tables, user) &&
      tables.departures.get(guildId, userId) === undefined);
  return isOne ? plainMember(guildId, userId) : undefined;
}

/** Whether a user is a member of a guild. */
export function isIn(rows: MemberRows, guildId: string, userId: string): boolean {
  return memberOf(rows, guildId, userId) !== undefined;
}

/**
 * Join time of a member in milliseconds: the stored time, or else the time from which both the guild and the account
 * existed.
 */
export function joinedAt({ guild, user, joined_at }: Member): number {
  return joined_at === null ? Math.max(timeOf(guild), timeOf(user)) : Date.parse(joined_at);
}

/** Roles of a member except @everyone, in no order. */
export function rolesOf({ roles }: Pick<Reading, 'roles'>, member: Member): Role[] {
  return member.roles.map((id) => roles.get(id)).filter((role) => role !== undefined);
}

/** Changes the stored row of a user who is a member. */
export function updateMember(tables: Writing, member: Member, fields: Partial<Member>): Member {
  return tables.members.put({ ...member, ...fields });
}

/** Reason why a user cannot become a member of a guild; undefined if the user can. */
export function memberObstacle(
  tables: Reading,
  guild: string,
  user: string,
): 'provisional' | 'banned' | undefined {
  if (isProvisional(tables, user)) return 'provisional';
  return tables.guild_bans.has(guild, user) ? 'banned' : undefined;
}

/**
 * Makes a user a member in this transaction; `now` is the join time in milliseconds. For a user who is a member
 * already, only `fields` change. @throws ApiError 403 with code 40007 for a banned user, 50001 for a provisional
 * account.
 */
export function join(
  tables: Writing,
  { guild, user, now }: { readonly guild: string; readonly user: string; readonly now: number },
  fields: Partial<Member> = {},
): Member {
  const member = memberOf(tables, guild, user);
  const obstacle = member === undefined ? memberObstacle(tables, guild, user) : undefined;
  if (obstacle !== undefined)
    throw obstacle === 'banned' ? new ApiError('UserBannedFromThisGuild') : missingAccess();
  tables.departures.remove(`${guild} ${user}`);
  const joined_at = new Date(now).toISOString();
  return tables.members.put({ ...(member ?? { ...plainMember(guild, user), joined_at }), ...fields });
}

/** Removes a member; with a bot, its own role is removed as well. */
export function leave(tables: Writing, { id, membership }: Guild, userId: string): void {
  tables.members.remove(`${id} ${userId}`);
  for (const role of [...tables.roles.by('bot', userId)]) {
    if (role.guild === id) tables.roles.remove(role.id);
  }
  const user = tables.users.get(userId);
  if (membership === 'everybody' && user !== undefined && isRegularUser(tables, user)) {
    tables.departures.put({ guild: id, user: userId });
  }
}
