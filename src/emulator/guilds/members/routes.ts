import * as z from 'zod';
import { missingAccess } from '../../api/api-error.ts';
import { queryInteger, snowflake, text } from '../../api/fields.ts';
import { bearer, defineOperation, ok } from '../../api/operation.ts';
import type { Reading } from '../../api/world.ts';
import { memberIn, requestingMember } from '../guild-access.ts';
import { memberAnswer, memberShape } from './answers.ts';
import { membersAfter } from './list.ts';
import type { Member } from './records.ts';

/** The first `count` members. */
function first(members: Iterable<Member>, count: number): Member[] {
  const taken: Member[] = [];
  if (count === 0) return taken;
  for (const member of members) {
    taken.push(member);
    if (taken.length === count) break;
  }
  return taken;
}

/** Members whose name or nickname begins with a text. */
function* named(tables: Reading, members: Iterable<Member>, beginning: string): Generator<Member> {
  const wanted = beginning.toLowerCase();
  for (const member of members) {
    const user = tables.users.get(member.user);
    const names = [member.nick, user?.username, user?.global_name];
    if (names.some((name) => name?.toLowerCase().startsWith(wanted))) yield member;
  }
}

/** Routes that list members. */
export const memberOperations = [
  defineOperation({
    id: 'list_guild_members',
    summary: 'Members of a guild, ordered by id, in pages; for applications with the intent of members.',
    route: 'GET /guilds/{guild_id}/members',
    query: z.object({
      limit: z.optional(queryInteger(1, 1000)),
      after: z.optional(snowflake()),
    }),
    answers: { 200: z.array(memberShape) },
    handle: ({ caller, params, query: { limit = 1, after } }, platform) => {
      const { guild } = requestingMember(caller, params.guild_id, platform);
      if (!caller.application.intents.includes('guild_members')) throw missingAccess();
      const { tables } = platform.world;
      const page = first(membersAfter(tables, guild, after), limit);
      return ok(page.map((member) => memberAnswer(tables, member)));
    },
  }),
  defineOperation({
    id: 'search_guild_members',
    summary: 'Members whose name or nickname begins with a text.',
    route: 'GET /guilds/{guild_id}/members/search',
    query: z.object({ query: text(1, 100), limit: z.optional(queryInteger(1, 1000)) }),
    answers: { 200: z.array(memberShape) },
    handle: ({ caller, params, query: { query, limit = 1 } }, platform) => {
      const { guild } = requestingMember(caller, params.guild_id, platform);
      const { tables } = platform.world;
      const found = first(named(tables, membersAfter(tables, guild), query), limit);
      return ok(found.map((member) => memberAnswer(tables, member)));
    },
  }),
  defineOperation({
    id: 'get_guild_member',
    summary: 'A member of a guild.',
    route: 'GET /guilds/{guild_id}/members/{user_id}',
    answers: { 200: memberShape },
    handle: ({ caller, params }, platform) => {
      const { guild } = requestingMember(caller, params.guild_id, platform);
      const { tables } = platform.world;
      return ok(memberAnswer(tables, memberIn(tables, guild.id, params.user_id)));
    },
  }),
  defineOperation({
    id: 'get_my_guild_member',
    summary: 'The user of the token as a member of a guild.',
    route: 'GET /users/@me/guilds/{guild_id}/member',
    who: [bearer('guilds.members.read')],
    answers: { 200: memberShape },
    handle: ({ caller, params }, platform) => {
      const { member } = requestingMember(caller, params.guild_id, platform);
      return ok(memberAnswer(platform.world.tables, member));
    },
  }),
];
