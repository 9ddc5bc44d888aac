import { inGuild, type Subject } from '../../api/permissions/evaluate.ts';
import { type MemberRows, memberOf } from '../members/membership.ts';
import type { Member } from '../members/records.ts';

/** Flag of a member whom AutoMod has restricted to viewing because of the member's name. */
export const QUARANTINED = 1 << 7;

/**
 * A member in the form that the permission rules need. `now` is in milliseconds and decides whether a timeout applies.
 */
export function subjectOf({ guilds, roles }: MemberRows, member: Member, now: number): Subject {
  const { guild, user, communication_disabled_until: until, flags, pending } = member;
  const bits = (id: string): bigint => BigInt(roles.get(id)?.permissions ?? 0);
  return {
    isOwner: guilds.get(guild)?.owner === user,
    everyone: bits(guild),
    roles: member.roles.map(bits),
    isTimedOut: pending || (flags & QUARANTINED) !== 0 || (until !== null && now < Date.parse(until)),
  };
}

/** Permissions of a user in a guild; zero for a user who is not a member. */
export function guildPermissions(rows: MemberRows, guildId: string, userId: string, now: number): bigint {
  const member = memberOf(rows, guildId, userId);
  return member === undefined ? 0n : inGuild(subjectOf(rows, member, now));
}
