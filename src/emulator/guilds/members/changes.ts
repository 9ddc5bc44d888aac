import * as z from 'zod';
import { ApiError, invalidField } from '../../api/api-error.ts';
import { clearable, fault, integer, set, snowflake, text } from '../../api/fields.ts';
import { inGuild } from '../../api/permissions/evaluate.ts';
import type { Reading, Writing } from '../../api/world.ts';
import { bitsOf } from '../../kernel/permission-bits.ts';
import { mayView } from '../channels/access.ts';
import { hasVoice } from '../channels/records.ts';
import { need, needAboveMember, needAboveRole, type RequestingMember } from '../guild-access.ts';
import { subjectOf } from '../roles/rights.ts';
import { roleIn } from '../roles/roles.ts';
import { joinVoice, mayMoveInto } from '../voice/joining.ts';
import type { Member } from './records.ts';

/** Maximum duration of a timeout: 28 days, in milliseconds. */
const MAX_TIMEOUT_MS = 28 * 86_400_000;
/** The only settable flag. */
const BYPASSES_VERIFICATION = 1 << 2;

const moment = z.iso
  .datetime({ offset: true })
  .or(z.string().refine(() => false, fault('DATE_TIME_TYPE_PARSE', 'Could not parse. Should be ISO8601.')));

/** Fields of a member that a request can change. */
export const memberFields = z.object({
  nick: clearable(text(0, 32)),
  roles: clearable(set(snowflake(), 0, 250)),
  mute: clearable(z.boolean()),
  deaf: clearable(z.boolean()),
  channel_id: clearable(snowflake()),
  communication_disabled_until: clearable(moment),
  flags: clearable(integer(0, 2 ** 31 - 1)),
});

type MemberChanges = z.output<typeof memberFields>;

/**
 * A member with the validated changes of a request. @throws ApiError 50013 for missing permissions, 10011 for an
 * unknown role, 50035 for invalid fields.
 */
export function changedMember(
  tables: Reading,
  who: RequestingMember,
  member: Member,
  changes: MemberChanges,
): Partial<Member> {
  const { nick, roles, communication_disabled_until: until, flags, mute, deaf } = changes;
  const isSelf = who.member.user === member.user;
  const fields: { -readonly [Key in keyof Member]?: Member[Key] } = {};
  if (nick !== undefined) {
    need(who, isSelf ? 'CHANGE_NICKNAME' : 'MANAGE_NICKNAMES');
    if (!isSelf) needAboveMember(tables, who, member);
    fields.nick = nick === '' ? null : nick;
  }
  if (roles !== undefined) fields.roles = changedRoles(tables, who, member, roles ?? []);
  if (until !== undefined) fields.communication_disabled_until = timeout(tables, who, member, until);
  if (typeof mute === 'boolean') {
    need(who, 'MUTE_MEMBERS');
    fields.mute = mute;
  }
  if (typeof deaf === 'boolean') {
    need(who, 'DEAFEN_MEMBERS');
    fields.deaf = deaf;
  }
  if (flags !== undefined && flags !== null) {
    if (
      !['MANAGE_GUILD', 'MANAGE_ROLES', 'MODERATE_MEMBERS'].some((name) =>
        hasRight(who, name as 'MANAGE_GUILD'),
      )
    ) {
      throw new ApiError('MissingPermissions');
    }
    fields.flags = (member.flags & ~BYPASSES_VERIFICATION) | (flags & BYPASSES_VERIFICATION);
  }
  return fields;
}

function hasRight(
  { bits }: RequestingMember,
  name: 'MANAGE_GUILD' | 'MANAGE_ROLES' | 'MODERATE_MEMBERS',
): boolean {
  return (bits & bitsOf(name)) !== 0n;
}

/**
 * The roles after a request. Each added or removed role must be below the caller's highest role, and must not be a
 * bot's own role. @everyone is no role of a member, and may be in the list: discord.js always sends it.
 */
function changedRoles(
  tables: Reading,
  who: RequestingMember,
  member: Member,
  ids: readonly string[],
): string[] {
  need(who, 'MANAGE_ROLES');
  const roleIds = ids.filter((id) => id !== who.guild.id);
  const different = [
    ...roleIds.filter((id) => !member.roles.includes(id)),
    ...member.roles.filter((id) => !roleIds.includes(id)),
  ];
  for (const id of different) checkRole(tables, who, id);
  return roleIds;
}

/** Checks that the caller may assign a role. @throws ApiError otherwise. */
export function checkRole(tables: Reading, who: RequestingMember, roleId: string): void {
  const role = roleIn(tables, who.guild.id, roleId);
  // @everyone is no role that a member has or has not.
  if (role.id === who.guild.id) throw new ApiError('UnknownRole');
  if (role.bot !== null) throw new ApiError('MissingPermissions');
  needAboveRole(tables, who, role);
}

/** An administrator cannot be timed out. */
function timeout(
  tables: Reading,
  who: RequestingMember,
  member: Member,
  until: string | null,
): string | null {
  need(who, 'MODERATE_MEMBERS');
  needAboveMember(tables, who, member);
  if (until === null) return null;
  const bits = inGuild(subjectOf(tables, member, 0));
  if (member.user === who.member.user || (bits & bitsOf('ADMINISTRATOR')) !== 0n)
    throw new ApiError('MissingPermissions');
  if (Date.parse(until) > who.now + MAX_TIMEOUT_MS) {
    throw invalidField(
      ['communication_disabled_until'],
      'INVALID_COMMUNICATION_DISABLED_TIMESTAMP',
      'The time is more than 28 days from now.',
    );
  }
  return new Date(until).toISOString();
}

/** How a request moved a member out of the member's voice channel. */
export type VoiceMove =
  | { readonly kind: 'moved'; readonly channel: string }
  | { readonly kind: 'disconnected' };

/**
 * Mutes, deafens or moves a member in a voice channel. Returns the move; undefined if the member was not moved. @throws
 * ApiError 40032 for a member who is in no voice channel.
 */
export function changeVoice(
  tables: Writing,
  who: RequestingMember,
  { user, guild }: Member,
  changes: MemberChanges,
): VoiceMove | undefined {
  const { mute, deaf, channel_id: channelId } = changes;
  if ((mute ?? deaf ?? undefined) === undefined && channelId === undefined) return undefined;
  const state = tables.voice_states.get(user);
  const here = state !== undefined && tables.channels.get(state.channel)?.guild === guild ? state : undefined;
  if (channelId !== undefined) need(who, 'MOVE_MEMBERS');
  if (here === undefined) throw new ApiError('TargetUserIsNotConnectedToVoice');
  if (channelId === null) {
    tables.voice_states.remove(user);
    return { kind: 'disconnected' };
  }
  const channel = channelId === undefined ? undefined : tables.channels.get(channelId);
  if (channelId !== undefined) {
    const mayGo = channel !== undefined && channel.guild === guild && hasVoice(channel);
    if (!mayGo || !mayView(tables, channel, user)) throw new ApiError('UnknownChannel');
    if (!mayMoveInto(tables, channel, who.member.user, who.now)) throw new ApiError('MissingPermissions');
  }
  const goes = channel !== undefined && channel.id !== here.channel;
  if (goes) joinVoice(tables, user, channel);
  tables.voice_states.update(user, {
    ...(typeof mute === 'boolean' ? { mute } : {}),
    ...(typeof deaf === 'boolean' ? { deaf } : {}),
  });
  return goes ? { kind: 'moved', channel: channel.id } : undefined;
}
