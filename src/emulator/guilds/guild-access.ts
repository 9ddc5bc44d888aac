import { ApiError } from '../api/api-error.ts';
import type { BotCaller, TokenCaller } from '../api/caller.ts';
import { inGuild } from '../api/permissions/evaluate.ts';
import type { Base, Reading } from '../api/world.ts';
import { bitsOf, type Permission } from '../kernel/permission-bits.ts';
import { memberOf, rolesOf } from './members/membership.ts';
import type { Member } from './members/records.ts';
import type { Guild } from './records.ts';
import type { Role } from './roles/records.ts';
import { subjectOf } from './roles/rights.ts';
import { compareRoles } from './roles/roles.ts';

/** A member whose request concerns the member's guild. */
export interface RequestingMember {
  readonly guild: Guild;
  readonly member: Member;
  /** Permissions of the member in the guild. */
  readonly bits: bigint;
  /** In milliseconds. */
  readonly now: number;
  readonly isBot: boolean;
}

/**
 * The caller as a member of a guild. @throws ApiError 10004 for an unknown guild, 50001 for a guild that the caller is
 * not a member of.
 */
export function requestingMember(
  caller: BotCaller | TokenCaller,
  guildId: string,
  { world, clock }: Base,
): RequestingMember {
  const guild = world.tables.guilds.get(guildId);
  if (guild === undefined) throw new ApiError('UnknownGuild');
  const userId = caller.kind === 'bot' ? caller.user.id : caller.userId;
  const member = memberOf(world.tables, guildId, userId);
  if (member === undefined) throw new ApiError('MissingAccess');
  const now = clock.now();
  const bits = inGuild(subjectOf(world.tables, member, now));
  return { guild, member, bits, now, isBot: caller.kind === 'bot' };
}

/** Requires all of these permissions. @throws ApiError 50013 for a missing one. */
export function need<A extends Pick<RequestingMember, 'bits'>>(
  who: A,
  ...permissions: readonly Permission[]
): A {
  const bits = bitsOf(...permissions);
  if ((who.bits & bits) !== bits) throw new ApiError('MissingPermissions');
  return who;
}

/** Highest role of a member; for a member without roles, @everyone. */
function highestRole(tables: Reading, member: Member): Role | undefined {
  return rolesOf(tables, member).reduce<Role | undefined>(
    (highest, role) => (highest === undefined || compareRoles(role, highest) > 0 ? role : highest),
    tables.roles.get(member.guild),
  );
}

/**
 * Checks that a role is below the caller's highest role; the owner of the guild always passes. @throws ApiError 50013.
 */
export function needAboveRole(tables: Reading, { guild, member }: RequestingMember, role: Role): void {
  if (guild.owner === member.user) return;
  const highest = highestRole(tables, member);
  if (highest === undefined || compareRoles(highest, role) <= 0) throw new ApiError('MissingPermissions');
}

/** Checks that a member is below the caller. The owner is above all other members. @throws ApiError 50013. */
export function needAboveMember(tables: Reading, who: RequestingMember, other: Member): void {
  if (who.guild.owner === who.member.user) return;
  const role = highestRole(tables, other);
  if (who.guild.owner === other.user || role === undefined) throw new ApiError('MissingPermissions');
  needAboveRole(tables, who, role);
}

/** A member of a guild. @throws ApiError 10013 for an unknown user, 10007 for a user who is not a member. */
export function memberIn(tables: Reading, guildId: string, userId: string): Member {
  if (!tables.users.has(userId)) throw new ApiError('UnknownUser');
  const member = memberOf(tables, guildId, userId);
  if (member === undefined) throw new ApiError('UnknownMember');
  return member;
}
