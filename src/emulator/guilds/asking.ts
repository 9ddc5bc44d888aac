import { ApiError } from '../api/api-error.ts';
import type { BotCaller, TokenCaller } from '../api/caller.ts';
import { inGuild } from '../api/permissions/evaluate.ts';
import { missingAccess, missingPermissions } from '../api/refusals.ts';
import type { Base, Reading } from '../api/world.ts';
import { bitsOf, type Permission } from '../kernel/permission-bits.ts';
import { memberOf, rolesOf } from './members/membership.ts';
import type { Member } from './members/records.ts';
import type { Guild } from './records.ts';
import type { Role } from './roles/records.ts';
import { subjectOf } from './roles/rights.ts';
import { compareRoles } from './roles/roles.ts';

/** Codes of the platform. */
/** Somebody who asks something of a guild that they are a member of. */
export interface Asking {
  readonly guild: Guild;
  readonly member: Member;
  /** What they may in the guild. */
  readonly bits: bigint;
  /** In milliseconds. */
  readonly now: number;
  readonly isBot: boolean;
}

/** @throws ApiError 10004 for no guild, 50001 for one that the caller is no member of. */
export function asking(caller: BotCaller | TokenCaller, guildId: string, { world, clock }: Base): Asking {
  const guild = world.tables.guilds.get(guildId);
  if (guild === undefined) throw new ApiError('UnknownGuild');
  const userId = caller.kind === 'bot' ? caller.user.id : caller.userId;
  const member = memberOf(world.tables, guildId, userId);
  if (member === undefined) throw missingAccess();
  const now = clock.now();
  const bits = inGuild(subjectOf(world.tables, member, now));
  return { guild, member, bits, now, isBot: caller.kind === 'bot' };
}

/** The same, of somebody who may do all of these. @throws ApiError 50013 for one who may not. */
export function need<A extends Pick<Asking, 'bits'>>(who: A, ...permissions: readonly Permission[]): A {
  const bits = bitsOf(...permissions);
  if ((who.bits & bits) !== bits) throw missingPermissions();
  return who;
}

/** The highest role of a member; that of everybody for one who has no other. */
function highestRole(tables: Reading, member: Member): Role | undefined {
  return rolesOf(tables, member).reduce<Role | undefined>(
    (highest, role) => (highest === undefined || compareRoles(role, highest) > 0 ? role : highest),
    tables.roles.get(member.guild),
  );
}

/** @throws ApiError 50013 unless a role stands below the highest of whoever asks, or they own the guild. */
export function needAboveRole(tables: Reading, { guild, member }: Asking, role: Role): void {
  if (guild.owner === member.user) return;
  const highest = highestRole(tables, member);
  if (highest === undefined || compareRoles(highest, role) <= 0) throw missingPermissions();
}

/** @throws ApiError 50013 unless a member stands below whoever asks. Nobody stands above the owner. */
export function needAboveMember(tables: Reading, who: Asking, other: Member): void {
  if (who.guild.owner === who.member.user) return;
  const role = highestRole(tables, other);
  if (who.guild.owner === other.user || role === undefined) throw missingPermissions();
  needAboveRole(tables, who, role);
}

/** A member of a guild. @throws ApiError 10013 for no user, 10007 for no member. */
export function memberIn(tables: Reading, guildId: string, userId: string): Member {
  if (!tables.users.has(userId)) throw new ApiError('UnknownUser');
  const member = memberOf(tables, guildId, userId);
  if (member === undefined) throw new ApiError('UnknownMember');
  return member;
}
