import * as z from 'zod';
import { ApiError, missingPermissions, missingScope } from '../../api/api-error.ts';
import type { HasAuthorizations } from '../../api/caller.ts';
import { clearable, integer, set, snowflake, text } from '../../api/fields.ts';
import { noContent, ok, operationsFor } from '../../api/operation.ts';
import type { Base, Reading, World, Writing } from '../../api/world.ts';
import { image } from '../../files/data-uri.ts';
import { isSameJson } from '../../kernel/same-json.ts';
import { AUDIT, auditChanges, changeOf, writeAudit } from '../audit/audit.ts';
import { memberIn, need, needAboveMember, type RequestingMember, requestingMember } from '../guild-access.ts';
import { memberAnswer, memberShape } from './answers.ts';
import { changedMember, changeVoice, checkRole, memberFields, type VoiceMove } from './changes.ts';
import { join, leave, memberOf, updateMember } from './membership.ts';
import type { Member } from './records.ts';

const defineOperation = operationsFor<Base & HasAuthorizations>();

const PICTURES = 4 * 1024 * 1024;

/**
 * The fields of a member, in the form of an audit log. Roles are missing, because their changes have entries of their
 * own.
 */
function auditFields(tables: Reading, member: Member): Readonly<Record<string, unknown>> {
  const { nick, communication_disabled_until, flags, mute, deaf } = memberAnswer(tables, member);
  return { nick, communication_disabled_until, flags, mute, deaf };
}

/** Logs that a member was moved or disconnected. As on the platform, these entries do not name the member. */
function noteMove(
  world: World,
  tables: Writing,
  who: RequestingMember,
  move: VoiceMove,
  reason: string | undefined,
): void {
  const isMove = move.kind === 'moved';
  writeAudit(world, tables, who, {
    action: isMove ? AUDIT.MEMBER_MOVE : AUDIT.MEMBER_DISCONNECT,
    target: null,
    reason,
    options: { ...(isMove ? { channel_id: move.channel } : {}), count: '1' },
  });
}

/** Logs the changes of a member. */
function note(
  world: World,
  tables: Writing,
  who: RequestingMember,
  change: {
    readonly before: Member;
    readonly was: Readonly<Record<string, unknown>>;
    readonly after: Member;
    readonly reason: string | undefined;
  },
): void {
  const { before, was, after, reason } = change;
  const target = after.user;
  const changes = auditChanges(was, auditFields(tables, after));
  writeAudit(world, tables, who, { action: AUDIT.MEMBER_UPDATE, target, reason, changes });
  if (isSameJson(before.roles, after.roles)) return;
  const named = (ids: readonly string[]) => ids.map((id) => ({ id, name: tables.roles.get(id)?.name ?? '' }));
  const added = named(after.roles.filter((id) => !before.roles.includes(id)));
  const removed = named(before.roles.filter((id) => !after.roles.includes(id)));
  writeAudit(world, tables, who, {
    action: AUDIT.MEMBER_ROLE_UPDATE,
    target,
    reason,
    changes: [
      ...(added.length === 0 ? [] : [changeOf('$add', null, added)]),
      ...(removed.length === 0 ? [] : [changeOf('$remove', null, removed)]),
    ],
  });
}

function change(
  world: World,
  who: RequestingMember,
  member: Member,
  fields: Partial<Member>,
  reason: string | undefined,
  more: (tables: Writing) => void = () => {},
): Member {
  return world.transaction((tables) => {
    const was = auditFields(tables, member);
    more(tables);
    const isOther = Object.entries(fields).some(
      ([key, value]) => !isSameJson(member[key as keyof Member], value),
    );
    const after = isOther ? updateMember(tables, member, fields) : member;
    note(world, tables, who, { before: member, was, after, reason });
    return after;
  });
}

/** Routes that add, change and remove members. */
export const memberChangeOperations = [
  defineOperation({
    id: 'update_my_guild_member',
    summary: "Changes the bot's own nickname, pictures and biography in a guild.",
    route: 'PATCH /guilds/{guild_id}/members/@me',
    body: z.object({
      nick: clearable(text(0, 32)),
      avatar: clearable(image()),
      banner: clearable(image()),
      bio: clearable(text(0, 190)),
    }),
    maxBodyBytes: PICTURES,
    answers: { 200: memberShape },
    handle: ({ caller, params, body: { nick, ...rest }, reason }, platform) => {
      const who = requestingMember(caller, params.guild_id, platform);
      const { world } = platform;
      const fields: { -readonly [Key in keyof Member]?: Member[Key] } = {
        ...changedMember(world.tables, who, who.member, { nick }),
      };
      for (const key of ['avatar', 'banner', 'bio'] as const) {
        const value = rest[key];
        if (value !== undefined) fields[key] = value === '' ? null : value;
      }
      return ok(memberAnswer(world.tables, change(world, who, who.member, fields, reason)));
    },
  }),
  defineOperation({
    id: 'update_guild_member',
    summary: 'Changes a member: nickname, roles, timeout, and voice state.',
    route: 'PATCH /guilds/{guild_id}/members/{user_id}',
    body: memberFields,
    answers: { 200: memberShape },
    handle: ({ caller, params, body, reason }, platform) => {
      const who = requestingMember(caller, params.guild_id, platform);
      const { world } = platform;
      const member = memberIn(world.tables, who.guild.id, params.user_id);
      const fields = changedMember(world.tables, who, member, body);
      const after = change(world, who, member, fields, reason, (tables) => {
        const move = changeVoice(tables, who, member, body);
        if (move !== undefined) noteMove(world, tables, who, move, reason);
      });
      return ok(memberAnswer(world.tables, after));
    },
  }),
  defineOperation({
    id: 'add_guild_member',
    summary: 'Adds a user with their token for `guilds.join`.',
    route: 'PUT /guilds/{guild_id}/members/{user_id}',
    body: z.object({
      access_token: text(1, 10_240),
      nick: clearable(text(0, 32)),
      roles: clearable(set(snowflake(), 0, 250)),
      flags: clearable(integer(0, 2 ** 31 - 1)),
      mute: clearable(z.boolean()),
      deaf: clearable(z.boolean()),
    }),
    answers: { 201: memberShape, 204: null },
    handle: ({ caller, params, body: { access_token, ...body } }, platform) => {
      const who = need(requestingMember(caller, params.guild_id, platform), 'CREATE_INSTANT_INVITE');
      const { world } = platform;
      const { tables } = world;
      const user = params.user_id;
      const token = platform.oauth2.introspect(access_token);
      if (token.state !== 'active' || token.clientId !== caller.application.id || token.userId !== user) {
        throw new ApiError('InvalidOAuth2AccessToken', { message: 'Invalid OAuth2 access token' });
      }
      if (!token.effectiveScopes.includes('guilds.join')) throw missingScope();
      if (!tables.users.has(user)) throw new ApiError('UnknownUser');
      if (memberOf(tables, who.guild.id, user) !== undefined) return noContent();
      const made = world.transaction((writing) => {
        const joined = join(writing, { guild: who.guild.id, user, now: who.now });
        // Setting a field of a new member requires the same permissions as changing it.
        return updateMember(writing, joined, changedMember(writing, who, joined, body));
      });
      return { status: 201, body: memberAnswer(tables, made) };
    },
  }),
  defineOperation({
    id: 'delete_guild_member',
    summary: 'Removes a member from a guild.',
    route: 'DELETE /guilds/{guild_id}/members/{user_id}',
    answers: { 204: null },
    handle: ({ caller, params, reason }, platform) => {
      const who = need(requestingMember(caller, params.guild_id, platform), 'KICK_MEMBERS');
      const { world } = platform;
      const member = memberIn(world.tables, who.guild.id, params.user_id);
      if (member.user === who.member.user) throw missingPermissions();
      needAboveMember(world.tables, who, member);
      world.transaction((tables) => {
        leave(tables, who.guild, member.user);
        writeAudit(world, tables, who, { action: AUDIT.MEMBER_KICK, target: member.user, reason });
      });
      return noContent();
    },
  }),
  ...(['PUT', 'DELETE'] as const).map((method) =>
    defineOperation({
      id: method === 'PUT' ? 'add_guild_member_role' : 'delete_guild_member_role',
      summary: method === 'PUT' ? 'Gives a member a role.' : 'Takes a role from a member.',
      route: `${method} /guilds/{guild_id}/members/{user_id}/roles/{role_id}`,
      answers: { 204: null },
      handle: ({ caller, params, reason }, platform) => {
        const who = need(requestingMember(caller, params.guild_id, platform), 'MANAGE_ROLES');
        const { world } = platform;
        const member = memberIn(world.tables, who.guild.id, params.user_id);
        checkRole(world.tables, who, params.role_id);
        const others = member.roles.filter((id) => id !== params.role_id);
        const roles = method === 'PUT' ? [...others, params.role_id] : others;
        change(world, who, member, roles.length === member.roles.length ? {} : { roles }, reason);
        return noContent();
      },
    }),
  ),
];
