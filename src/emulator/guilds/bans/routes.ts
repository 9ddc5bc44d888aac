import * as z from 'zod';
import { ApiError, missingPermissions } from '../../api/api-error.ts';
import { clearable, integer, namedShape, queryInteger, set, snowflake } from '../../api/fields.ts';
import { defineOperation, noContent, ok } from '../../api/operation.ts';
import type { Reading, World } from '../../api/world.ts';
import { idAt } from '../../kernel/snowflake.ts';
import { userAnswer } from '../../users/answers.ts';
import type { User } from '../../users/records.ts';
import { userShape } from '../../users/shapes.ts';
import { AUDIT, writeAudit } from '../audit/audit.ts';
import { need, needAboveMember, type RequestingMember, requestingMember } from '../guild-access.ts';
import { leave, memberOf } from '../members/membership.ts';

const WEEK_S = 604_800;
const DAY_S = 86_400;

const banShape = namedShape('GuildBan', { user: userShape, reason: z.nullable(z.string()) });

interface Ban {
  readonly user: string;
  readonly reason: string | null;
}

function banAnswer({ users }: Reading, { user, reason }: Ban): z.output<typeof banShape> {
  return { user: userAnswer(users.get(user) as User), reason };
}

/**
 * Checks that the caller may ban a user. @throws ApiError 10013 for an unknown user, 50013 for a user who is not below
 * the caller.
 */
function checkBannable(tables: Reading, who: RequestingMember, userId: string): void {
  if (!tables.users.has(userId)) throw new ApiError('UnknownUser');
  if (userId === who.member.user) throw missingPermissions();
  const member = memberOf(tables, who.guild.id, userId);
  if (member !== undefined) needAboveMember(tables, who, member);
}

/** Bans several users, and deletes the messages that they wrote in the guild within the last seconds. */
function ban(
  world: World,
  who: RequestingMember,
  users: readonly string[],
  { seconds, reason }: { readonly seconds: number; readonly reason: string | undefined },
): void {
  world.transaction((tables) => {
    for (const user of users) {
      if (tables.guild_bans.has(who.guild.id, user)) continue;
      leave(tables, who.guild, user);
      tables.guild_bans.insert({ guild: who.guild.id, user, reason: reason ?? null });
      writeAudit(world, tables, who, { action: AUDIT.MEMBER_BAN_ADD, target: user, reason });
      if (seconds === 0) continue;
      const since = idAt(who.now - seconds * 1000);
      for (const { id, channel } of [...tables.messages.by('author', user).behind(since)]) {
        if (tables.channels.get(channel)?.guild === who.guild.id) tables.messages.remove(id);
      }
    }
  });
}

const seconds = {
  delete_message_seconds: clearable(integer(0, WEEK_S)),
  delete_message_days: clearable(integer(0, 7)),
};

/** Routes of a guild's bans. */
export const banOperations = [
  defineOperation({
    id: 'list_guild_bans',
    summary: 'Bans of a guild, ordered by user id, in pages.',
    route: 'GET /guilds/{guild_id}/bans',
    query: z.object({
      limit: z.optional(queryInteger(1, 1000)),
      before: z.optional(snowflake()),
      after: z.optional(snowflake()),
    }),
    answers: { 200: z.array(banShape) },
    handle: ({ caller, params, query: { limit = 1000, before, after } }, platform) => {
      const { guild } = need(requestingMember(caller, params.guild_id, platform), 'BAN_MEMBERS');
      const { tables } = platform.world;
      const bans = tables.guild_bans.by('guild', guild.id);
      const page =
        before === undefined
          ? bans.after(`${guild.id} ${after ?? '0'}`, limit)
          : bans.before(`${guild.id} ${before}`, limit);
      return ok(page.map((one) => banAnswer(tables, one)));
    },
  }),
  defineOperation({
    id: 'get_guild_ban',
    summary: 'The ban of a user.',
    route: 'GET /guilds/{guild_id}/bans/{user_id}',
    answers: { 200: banShape },
    handle: ({ caller, params }, platform) => {
      const { guild } = need(requestingMember(caller, params.guild_id, platform), 'BAN_MEMBERS');
      const { tables } = platform.world;
      const found = tables.guild_bans.get(guild.id, params.user_id);
      if (found === undefined) throw new ApiError('UnknownBan');
      return ok(banAnswer(tables, found));
    },
  }),
  defineOperation({
    id: 'ban_user_from_guild',
    summary: 'Bans a user, who need not be a member; a present ban stays unchanged.',
    route: 'PUT /guilds/{guild_id}/bans/{user_id}',
    // A ban removes the member and the member's messages, so it frees memory.
    makesRoom: true,
    query: z.object({
      delete_message_seconds: z.optional(queryInteger(0, WEEK_S)),
      delete_message_days: z.optional(queryInteger(0, 7)),
    }),
    body: z.object(seconds),
    answers: { 204: null },
    ours: 'Both fields may stand in the query instead, as seen with discord.py, which sends no body.',
    handle: ({ caller, params, query, body, reason }, platform) => {
      const who = need(requestingMember(caller, params.guild_id, platform), 'BAN_MEMBERS');
      const { world } = platform;
      checkBannable(world.tables, who, params.user_id);
      const deleteSeconds = body.delete_message_seconds ?? query.delete_message_seconds;
      const days = body.delete_message_days ?? query.delete_message_days;
      ban(world, who, [params.user_id], { seconds: deleteSeconds ?? (days ?? 0) * DAY_S, reason });
      return noContent();
    },
  }),
  defineOperation({
    id: 'unban_user_from_guild',
    summary: 'Removes the ban of a user.',
    route: 'DELETE /guilds/{guild_id}/bans/{user_id}',
    // Libraries send an empty body.
    body: z.object({}),
    answers: { 204: null },
    handle: ({ caller, params, reason }, platform) => {
      const who = need(requestingMember(caller, params.guild_id, platform), 'BAN_MEMBERS');
      const { world } = platform;
      const user = params.user_id;
      if (!world.tables.guild_bans.has(who.guild.id, user)) throw new ApiError('UnknownBan');
      world.transaction((tables) => {
        tables.guild_bans.remove(`${who.guild.id} ${user}`);
        writeAudit(world, tables, who, { action: AUDIT.MEMBER_BAN_REMOVE, target: user, reason });
      });
      return noContent();
    },
  }),
  defineOperation({
    id: 'bulk_ban_users_from_guild',
    summary: 'Bans up to 200 users, and lists those who could not be banned.',
    route: 'POST /guilds/{guild_id}/bulk-ban',
    makesRoom: true,
    body: z.object({
      user_ids: set(snowflake(), 1, 200),
      delete_message_seconds: seconds.delete_message_seconds,
    }),
    answers: { 200: z.object({ banned_users: z.array(z.string()), failed_users: z.array(z.string()) }) },
    ours: 'When none could be banned the status is 400; the public contract gives the code alone.',
    handle: ({ caller, params, body: { user_ids, delete_message_seconds }, reason }, platform) => {
      const who = need(requestingMember(caller, params.guild_id, platform), 'BAN_MEMBERS', 'MANAGE_GUILD');
      const { world } = platform;
      const banned = user_ids.filter((user) => {
        if (world.tables.guild_bans.has(who.guild.id, user)) return false;
        try {
          checkBannable(world.tables, who, user);
          return true;
        } catch (error) {
          if (error instanceof ApiError) return false;
          throw error;
        }
      });
      if (banned.length === 0) throw new ApiError('FailedToBanUsers');
      ban(world, who, banned, { seconds: delete_message_seconds ?? 0, reason });
      return ok({ banned_users: banned, failed_users: user_ids.filter((user) => !banned.includes(user)) });
    },
  }),
];
